// Links: the address of the page contains a history, such as page.html#RYGB=1,1&RGOP=0,2. Two more entries may
// follow: `refused=crane,caret` leaves words out, and `hints=off` hides the hints until a button shows them. Hints
// stay hidden even if the rest of the link is wrong, because it may be a question for a class.

const HIDING = /^hints?=off$/i;

/** Return the entries of a link, which may have been written in HTML, where an ampersand is `&amp;`. */
function entriesOf(hash) {
  return hash.slice(1).split(/&(?:amp;)?/).filter(Boolean).map(plain);
}

/**
 * Return what the entries of a link say: rows (a guess and its feedback), refused guesses, and whether hints are hidden.
 *
 * @throws RangeError for an entry without a valid guess and feedback
 */
function contentOf(game, entries) {
  const content = { rows: [], refused: [], quiet: entries.some((part) => HIDING.test(part)) };
  for (const part of entries.filter((part) => !HIDING.test(part))) {
    const words = game.words && /^refused=([^0-9]+)$/.exec(part);
    if (words) {
      content.refused.push(...words[1].split(",").map((word) => codeFrom(game, word)));
    } else {
      content.rows.push(rowOf(game, part));
    }
  }
  return content;
}

/** Return a part of an address with its escapes decoded; if they are invalid, return it unchanged. */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Return the row of a text GUESS=FEEDBACK. A guess may contain equals signs. */
function rowOf(game, text) {
  const parts = text.split("=");
  let fault = new RangeError(`"${text}" is not a guess with its feedback, such as RYGB=1,1`);
  for (let k = parts.length - 1; k > 0; k--) {
    try {
      const guess = codeFrom(game, parts.slice(0, k).join("="));
      return { guess, feedback: feedbackFrom(game, parts.slice(k).join("=")) };
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** Return the link with a content, beginning with the hash sign; empty if there is nothing to keep. */
function linkOf(game, { rows, refused, quiet }) {
  const escaped = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
  const parts = rows.map(
    (row) => `${escaped(game.format(row.guess))}=${escaped(game.formatFeedback(row.feedback))}`,
  );
  if (refused.length) {
    parts.push(`refused=${escaped(refused.map((guess) => game.format(guess)).join(","))}`);
  }
  if (quiet) {
    parts.push("hints=off");
  }
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Update the address after each change of the game in which the page gives hints. */
class Link {
  constructor(session) {
    this.session = session;
    this.kept = location.hash;
    addEventListener("hashchange", () => {
      session.settled = this.follow();
    });
  }

  /** Begin a game with the history in the address. */
  async follow() {
    const { session } = this;
    const entries = entriesOf(location.hash);
    let [content, fault] = [null, ""];
    try {
      content = contentOf(session.game, entries);
    } catch (error) {
      content = contentOf(session.game, entries.filter((part) => HIDING.test(part)));
      fault = `This link does not fit this game: ${error.message}.`;
    }
    // The address of a wrong link stays until the first guess, so that it can be corrected.
    this.kept = fault ? linkOf(session.game, content) : location.hash;
    document.querySelector("#modes input").checked = true;
    session.kept = {};
    session.refused = new Set(content.refused);
    session.quiet = content.quiet;
    await session.restart("hints", content.rows);
    if (fault) {
      session.note = fault;
      session.changed();
    }
  }

  keep() {
    const { game, hinted, refused, quiet, playing } = this.session;
    const link = linkOf(game, { rows: hinted, refused: [...refused], quiet });
    at("link").hidden = playing;
    if (link !== this.kept) {
      this.kept = link;
      history.replaceState(null, "", link || location.pathname + location.search);
    }
  }
}
