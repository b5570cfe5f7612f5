// Links: the address of the page contains a history, such as page.html#RYGB=1,1&RGOP=0,2. Two more entries may
// follow: `refused=crane,caret` leaves words out, and `hints=off` hides the hints until a button shows them.

/**
 * Return what a link contains: rows (a guess and its feedback), refused guesses, and whether hints are hidden.
 *
 * @throws RangeError for an entry without a valid guess and feedback
 */
function contentOf(game, hash) {
  const content = { rows: [], refused: [], quiet: false };
  for (const part of hash.slice(1).split("&").filter(Boolean).map(plain)) {
    const words = game.words && /^refused=([^0-9]+)$/.exec(part);
    if (part === "hints=off") {
      content.quiet = true;
    } else if (words) {
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

/** Return the link of a session, beginning with the hash sign; empty if there is nothing to keep. */
function linkOf({ game, rows, playing, refused, quiet }) {
  const escaped = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
  const parts = (playing ? [] : rows).map(
    (row) => `${escaped(game.format(row.guess))}=${escaped(game.formatFeedback(row.feedback))}`,
  );
  if (refused.size) {
    parts.push(`refused=${escaped([...refused].map((guess) => game.format(guess)).join(","))}`);
  }
  if (quiet) {
    parts.push("hints=off");
  }
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Update the address after each change of a game in which the page gives hints. */
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
    let [content, fault] = [{ rows: [], refused: [], quiet: false }, ""];
    try {
      content = contentOf(session.game, location.hash);
    } catch (error) {
      fault = `This link is for another game: ${error.message}.`;
    }
    document.querySelector("#modes input").checked = true;
    session.refused = new Set(content.refused);
    session.quiet = content.quiet;
    await session.restart("hints", content.rows);
    if (fault) {
      session.note = fault;
      session.changed();
    }
  }

  keep() {
    const link = linkOf(this.session);
    at("link").hidden = this.session.playing;
    if (link !== this.kept) {
      this.kept = link;
      history.replaceState(null, "", link || location.pathname + location.search);
    }
  }
}
