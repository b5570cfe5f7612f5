// Links: the address of the page contains a history, such as page.html#RYGB=1,1&RGOP=0,2.

/**
 * Return the rows (a guess and its feedback) of a link.
 *
 * @throws RangeError for an entry without a valid guess and feedback
 */
function rowsOf(game, hash) {
  return hash.slice(1).split("&").filter(Boolean).map((part) => rowOf(game, plain(part)));
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
  let fault = new RangeError(`found "${text}", expected a guess and its feedback, such as RYGB=1,1`);
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

/** Return the link of rows, beginning with the hash sign; empty if there are no rows. */
function linkOf(game, rows) {
  const escaped = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
  const parts = rows.map(
    (row) => `${escaped(game.format(row.guess))}=${escaped(game.formatFeedback(row.feedback))}`,
  );
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
    let [rows, fault] = [[], ""];
    try {
      rows = rowsOf(session.game, location.hash);
    } catch (error) {
      fault = `This link is of another game: ${error.message}.`;
    }
    document.querySelector("#modes input").checked = true;
    await session.restart("hints", rows);
    if (fault) {
      session.note = fault;
      session.changed();
    }
  }

  keep() {
    const { game, rows, playing } = this.session;
    const link = playing ? "" : linkOf(game, rows);
    at("link").hidden = playing;
    if (link !== this.kept) {
      this.kept = link;
      history.replaceState(null, "", link || location.pathname + location.search);
    }
  }
}
