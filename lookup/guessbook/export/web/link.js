// Links: the address of the page carries a game, such as page.html#RYGB=1,1&RGOP=0,2.

/**
 * The rows of a link.
 *
 * @throws RangeError for an entry that is not a guess and feedback of the game
 */
function rowsOf(game, hash) {
  return hash.slice(1).split("&").filter(Boolean).map((part) => rowOf(game, plain(part)));
}

/** A part of an address without its escapes; as it is where these are wrong. */
function plain(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The row of a text GUESS=FEEDBACK; a guess may have equals signs of its own. */
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

/** The link of rows, from the hash on; empty if there are none. */
function linkOf(game, rows) {
  const escaped = (text) => encodeURIComponent(text).replaceAll("%2C", ",");
  const parts = rows.map(
    (row) => `${escaped(game.format(row.guess))}=${escaped(game.formatFeedback(row.feedback))}`,
  );
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Keep the address in step with a game in which the page gives hints. */
class Link {
  constructor(session) {
    this.session = session;
    this.kept = location.hash;
    addEventListener("hashchange", () => {
      session.settled = this.follow();
    });
  }

  /** Begin at the position of the address. */
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
