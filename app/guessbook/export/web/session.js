// The session: a game in progress, without the drawing.

/**
 * A session has two modes. In "hints" the user plays elsewhere and types the feedback. In "play" this
 * page chooses the secret. The functions `changed`, `said` and `progressed` are called after changes,
 * with news for screen readers, and with the finished share of a computation.
 */
class Session {
  constructor(book, { changed, said, progressed }) {
    this.book = book;
    this.game = book.game;
    this.changed = changed;
    this.said = said;
    this.progressed = progressed;
    this.entry = new Entry(this.game);
    this.work = new AbortController(); // cancels the current computation
    this.mode = "hints";
    this.kept = {}; // the game of each mode, while the other mode is on
    this.refused = new Set(); // guesses that the user's game does not accept; new games keep them
    this.quiet = false; // whether hints are hidden
  }

  /** Begin a new game, with the guesses in `rows`. In "play" the secret fits them. */
  restart(mode = this.mode, rows = []) {
    this.mode = mode;
    this.entry.strict = mode === "play";
    this.rows = rows; // guess, feedback, and how many candidates are left
    this.corrected = null; // the place of the row that the user is correcting in the entry
    this.own = false; // whether the user has made a guess in this game
    this.revealed = false;
    this.secret = rows.length ? null : this.game.secret(randomBelow(this.game.secretCount));
    return this.update();
  }

  /**
   * Change the mode. Each mode keeps its game. A game of "play" without own guesses begins anew, after the
   * guesses of "hints".
   */
  turn(mode) {
    this.correct(null);
    const { rows, own, revealed, secret } = this;
    this.kept[this.mode] = { rows, own, revealed, secret };
    const kept = this.kept[mode];
    if (mode === "play" && !kept?.own) {
      const [, limit] = this.book.share;
      const begun = limit && rows.length >= limit ? [] : rows;
      return this.restart(mode, begun.map((row) => ({ ...row })));
    }
    Object.assign(this, kept, { mode });
    this.entry.strict = mode === "play";
    return this.update();
  }

  /** The rows of the game in which the page gives hints. */
  get hinted() {
    return this.playing ? this.kept.hints.rows : this.rows;
  }

  get playing() {
    return this.mode === "play";
  }

  /** The number of guesses that the game allows in "play"; 0 without a limit. */
  get limit() {
    return this.playing ? this.book.share[1] : 0;
  }

  /** Whether the last allowed guess is not the secret. */
  get lost() {
    const { rows, limit, game } = this;
    return limit > 0 && rows.length >= limit && rows.at(-1).feedback !== game.solved;
  }

  get correcting() {
    return this.corrected !== null;
  }

  get over() {
    const known = ["solved", "outcome"].includes(this.found?.state);
    return !this.correcting && (this.revealed || this.lost || known);
  }

  /** Whether the user has to correct or undo a guess, because nothing fits. */
  get stuck() {
    return !this.correcting && this.found?.state === "none";
  }

  /** The rows that count: all but the one that the user is correcting. */
  get counting() {
    return this.rows.filter((_, place) => place !== this.corrected);
  }

  /** Whether the user can change the marks of the letters in the entry. */
  get marking() {
    return this.game.words && !this.playing && this.entry.complete;
  }

  /** Change the entry with the function `change`. `guess` is false if only the feedback changes. */
  edit(change, guess = true) {
    if (this.over) {
      return;
    }
    change(this.entry);
    if (guess) {
      this.entry.marks.fill(0);
      this.entry.answer = null;
      this.said(this.entry.spoken);
    }
    this.fault = "";
    this.changed();
  }

  /** Make the guess of the entry. In "play" the page computes the feedback, else the user typed it. */
  submit() {
    if (this.over || (this.playing && this.secret === null)) {
      return;
    }
    const { guess } = this.entry;
    let { fault } = this.entry;
    let feedback = null;
    const broken = fault ? "" : this.broken(guess);
    if (broken && this.playing) {
      fault = broken;
    }
    if (!fault) {
      const { playing, game, secret, entry } = this;
      feedback = playing ? game.answer(guess, secret) : entry.feedback;
      fault = feedback === null ? this.entry.feedbackFault : "";
    }
    if (fault) {
      this.object(fault);
      return;
    }
    this.rows[this.place] = { guess, feedback };
    this.correct(null);
    this.own = true;
    this.refused.delete(guess);
    this.settled = this.update();
    this.note = broken;
    this.changed();
  }

  /** Show what is wrong with the entry. */
  object(fault) {
    this.fault = fault;
    this.changed();
  }

  /** Return how a guess breaks hard mode; empty if it does not, or if the book has no hard mode. */
  broken(guess) {
    const { book, game, rows, place } = this;
    if (!game.words || !ruleOf(book.policy).hardMode) {
      return "";
    }
    const known = shown(game, rows.slice(0, place).map((row) => [row.guess, row.feedback]));
    const lack = brokenHint(game, game.digits(guess), known);
    return lack && `${game.format(guess).toUpperCase()} breaks hard mode: ${lack}.`;
  }

  /** The place of the entry among the rows. */
  get place() {
    return this.corrected ?? this.rows.length;
  }

  /** Choose the row to correct; null for none. */
  correct(place) {
    const first = Math.min(this.place, place ?? this.rows.length);
    this.rows.slice(first).forEach((row) => delete row.left);
    this.corrected = place;
  }

  undo() {
    if (!this.correcting) {
      this.rows.pop();
    }
    this.correct(null);
    this.settled = this.update();
  }

  /** Show an earlier guess in the entry, where the user can correct the guess or the feedback. */
  recall(place) {
    this.correct(place);
    this.settled = this.update();
  }

  reveal() {
    this.revealed = true;
    this.work.abort();
    this.changed();
    this.said(`The secret is ${this.game.format(this.secret)}.`);
  }

  /** Leave the suggested guess out from now on, and suggest the next one. */
  refuse() {
    const { guess } = this.choice;
    this.refused.add(guess);
    this.settled = this.update();
    this.note = `${this.game.format(guess).toUpperCase()} is left out from now on.`;
    this.changed();
  }

  /** Suggest all guesses again. */
  allow() {
    this.refused.clear();
    this.settled = this.update();
  }

  /** Show the hints that a link has hidden. */
  show() {
    this.quiet = false;
    this.settled = this.update();
  }

  /** Suggest a guess at the user's request, or put the suggested guess in the entry again. */
  ask() {
    this.asked = true;
    this.entry.clear();
    this.settled = this.finish(this.advise(this.work.signal));
  }

  /** Compute the state after the guesses so far; a computation in progress is cancelled. */
  update() {
    this.work.abort();
    this.work = new AbortController();
    this.found = null;
    this.choice = undefined;
    this.fault = "";
    this.note = "";
    this.asked = !this.playing && !this.quiet && !this.correcting;
    this.entry.clear();
    if (this.correcting) {
      const { guess, feedback } = this.rows[this.corrected];
      this.entry.restore(guess, feedback);
    }
    this.changed();
    return this.finish(this.look(this.work.signal));
  }

  async finish(work) {
    const { signal } = this.work;
    try {
      await work;
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
  }

  async look(signal) {
    const rows = this.counting;
    const history = rows.map(({ guess, feedback }) => [guess, feedback]);
    const all = await survey(this.book, history);
    const found = without(this.book, all, this.refused);
    for (const [k, row] of rows.slice(0, -1).entries()) {
      row.left ??= (await survey(this.book, history.slice(0, k + 1))).remaining ?? undefined;
    }
    signal.throwIfAborted();
    if (this.playing && this.secret === null && !this.drawSecret(all)) {
      return this.restart();
    }
    this.found = found;
    if (rows.length && found.remaining !== null && found.state !== "solved") {
      rows.at(-1).left = found.remaining;
    }
    this.changed();
    this.said(this.news);
    if (this.asked) {
      await this.advise(signal);
    }
  }

  /** Choose a secret that fits the guesses so far. Return false if none is known, or if it is found. */
  drawSecret(all) {
    const fitting = ["book", "live"].includes(all.state) ? candidatesOf(this.book, all) : [];
    this.secret = fitting[randomBelow(fitting.length)] ?? null;
    return this.secret !== null;
  }

  async advise(signal) {
    if (!this.found || this.over || this.stuck) {
      return;
    }
    this.choice ??= await suggest(this.book, this.found, signal, this.progressed);
    signal.throwIfAborted();
    const { choice } = this;
    if (choice && this.entry.empty) {
      this.entry.prefill(choice.guess);
    }
    this.changed();
    if (choice) {
      const next = this.game.outcomes ? "Next test" : "Suggested guess";
      this.said(`${this.news} ${next} ${this.game.format(choice.guess)}.`);
    }
  }

  /** The last event as text for screen readers. */
  get news() {
    const { found, game } = this;
    const last = this.counting.at(-1);
    const left = found.remaining === null || this.quiet ? "" : counted(found.remaining, nounsOf(game).candidate);
    if (!last) {
      return `${game.outcomes ? "Begin" : "New game"}, ${left || "many candidates"}.`;
    }
    const answer = `${game.format(last.guess)}: ${spoken(game, last.feedback)}.`;
    return found.state === "solved" || !left ? answer : `${answer} ${left} left.`;
  }

  /** The number of guesses that the book needs for the secret; null if the book never finds it. */
  get par() {
    const { tree } = this.book;
    let [node, guesses] = [0, 1];
    while (node >= 0 && tree.guess[node] !== this.found.secret) {
      node = tree.child(node, this.game.answer(tree.guess[node], this.found.secret));
      guesses++;
    }
    return node < 0 ? null : guesses;
  }
}

/** Return a random integer from 0 to `limit` - 1. */
function randomBelow(limit) {
  return Math.floor((crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32) * limit);
}

function formatted(number) {
  return number.toLocaleString("en-US");
}

function counted(number, one, many = `${one}s`) {
  return `${formatted(number)} ${number === 1 ? one : many}`;
}
