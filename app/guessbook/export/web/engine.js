// The engine: Guessbook's searches in C, as WebAssembly (builder/guessbook/engine/page.c). They run in
// steps, so the page reacts to the user meanwhile.

const SLICE = 10; // milliseconds
// The number of pairs (guess, candidate) that are scored in one step. The engine scores 64 codes at once.
const LIST_PAIRS = 1 << 20;
const CODE_PAIRS = 1 << 26;

// Larger searches would take too long.
const MAX_CODES = 1 << 22; // codes of a game
const MAX_PAIRS = 1_000_000_000; // pairs in a game of words or a table
const MAX_CODE_PAIRS = 2 ** 37; // pairs in a ranking of codes
const MAX_PARTS = 256; // parts of a search for the best code

/** The one-step policies, numbered as in page.c. */
const RULES = ["entropy", "expected", "parts", "minimax", "entropy-corrected"];

/** The default of the option `base`, for policies whose default is not entropy. */
const USUAL_BASE = { lookahead: "entropy-corrected" };

/**
 * Return the rule that this page uses off-book: the policy of the book if it is a one-step policy, else
 * the base of the policy, else entropy.
 */
function ruleOf(policy) {
  const own = RULES.includes(policy.name);
  const base = policy.base ?? USUAL_BASE[policy.name];
  const name = own ? policy.name : RULES.includes(base) ? base : "entropy";
  return {
    name,
    number: RULES.indexOf(name),
    substitute: !own,
    consistentOnly: policy.consistent_only === true,
    hardMode: policy.hard_mode === true,
  };
}

/** Thrown if a search is too large for this page. */
class TooLarge extends Error {}

/** Steps of work. Between two steps, the browser can react; after an abort, the next step throws. */
class Slices {
  constructor(signal, report = () => {}) {
    this.signal = signal;
    this.report = report;
    this.end = performance.now() + SLICE;
  }

  /** Pause if the time of this slice is over. `done` is the finished share of the work. */
  async pause(done) {
    if (performance.now() > this.end) {
      await this.rest(done);
    }
  }

  /** Report the finished share of the work, and let the browser react. */
  async rest(done) {
    this.report(done);
    await new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resolve();
      };
      channel.port2.postMessage(null);
    });
    this.signal?.throwIfAborted();
    this.end = performance.now() + SLICE;
  }
}

/** Return the engine from its base64 of zlib data; null if this browser cannot run it. */
async function openEngine(text) {
  try {
    const { instance } = await WebAssembly.instantiate(await inflated(text));
    instance.exports._initialize();
    return new Engine(instance.exports);
  } catch {
    return null;
  }
}

/** The functions of page.c, and the tables of one game. */
class Engine {
  constructor(functions) {
    this.c = functions;
  }

  /** Return the numbers at an address, as an array of the class `kind`. It is valid until the next call. */
  at(place, count, kind) {
    return new kind(this.c.memory.buffer, place, count);
  }

  /** Copy an array into memory of `owner`, and return its address. */
  put(owner, array) {
    const place = checked(this.c.page_take(owner, array.length, array.BYTES_PER_ELEMENT));
    this.at(place, array.length, array.constructor).set(array);
    return place;
  }

  /** Return the addresses of the tables of a code game, and of the memory for its searches. */
  codes(game) {
    this.tables ??= checked(
      this.c.page_codes(game.length, game.symbols.length, Number(game.repeats)),
    );
    this.space ??= checked(this.c.page_workspace(this.tables));
    return [this.tables, this.space];
  }

  /** Return the address of the words of a game. */
  words(game) {
    if (!this.listed) {
      const owner = this.c.page_owner();
      const letters = game.spelled.slice(0, game.guessCount * game.length);
      const own = this.put(owner, letters);
      const { guessCount, length, symbols, loose } = game;
      this.listed = checked(
        this.c.page_words(owner, own, guessCount, length, symbols.length, Number(loose)),
      );
    }
    return this.listed;
  }

  /** Whether there is enough memory for the tables of a code game. */
  loads(game) {
    try {
      return this.codes(game).length > 0;
    } catch {
      return false;
    }
  }

  /** Return the codes that fit a history, in ascending order. */
  fitting(game, history) {
    const owner = this.c.page_owner();
    try {
      const [tables, space] = this.codes(game);
      const pairs = this.put(owner, Uint32Array.from(history.flat()));
      const out = checked(this.c.page_take(owner, game.guessCount, 4));
      const count = this.c.page_fitting(tables, space, pairs, history.length, out);
      return this.at(out, count, Uint32Array).slice();
    } finally {
      this.c.page_free(owner);
    }
  }
}

/** Return an address or a number from the engine; throw if memory ran out. */
function checked(result) {
  // Addresses above 2 GB are negative; only -1 and 0 report a failure.
  if (result === -1 || result === 0) {
    throw new TooLarge();
  }
  return result >>> 0;
}

/** The search for guesses after a history of a code game. */
class CodeSearch {
  constructor(engine, game, rule, { pairs, candidates }) {
    const { c } = engine;
    Object.assign(this, { engine, c, game, rule, count: candidates.length });
    this.owner = c.page_owner();
    try {
      const [tables, space] = engine.codes(game);
      const own = engine.put(this.owner, Uint32Array.from(candidates));
      const path = engine.put(this.owner, Uint32Array.from(pairs, ([guess]) => guess));
      this.hint = checked(
        c.page_code_hint(
          this.owner, tables, space, own, this.count, path, pairs.length, rule.number,
          Number(rule.consistentOnly),
        ),
      );
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Return the best guess. There are at least three candidates. */
  async best(slices) {
    if (this.rule.consistentOnly) {
      return (await this.ranking(1, slices))[0];
    }
    await slices.rest(0); // the next step may take long
    const parts = this.c.page_begin(this.hint);
    if (parts < 0 || parts > MAX_PARTS) {
      throw new TooLarge();
    }
    for (let part = 0; part < parts; part++) {
      await slices.pause(part / parts);
      checked(this.c.page_resume(this.hint, part, parts) + 1);
    }
    return this.c.page_found(this.hint) >>> 0;
  }

  /** Return the best guesses, best first; of guesses that are equivalent by symmetry, only the lowest. */
  async ranking(width, slices) {
    const pairs = this.c.page_score(this.owner, this.hint);
    if (pairs < 0 || pairs > MAX_CODE_PAIRS) {
      throw new TooLarge();
    }
    const sets = this.c.page_multisets(this.hint);
    for (let done = 0; done < sets; ) {
      await slices.pause(done / sets);
      done = checked(this.c.page_score_codes(this.hint, done, CODE_PAIRS));
    }
    const out = checked(this.c.page_take(this.owner, width, 4));
    const count = checked(this.c.page_best_codes(this.owner, this.hint, width, out));
    return Array.from(this.engine.at(out, count, Uint32Array));
  }

  /** Return the lowest guess that is equivalent to a guess by symmetry; only after `ranking`. */
  lowest(guess) {
    return this.c.page_lowest(this.hint, guess) >>> 0;
  }

  /** Return the feedback of each candidate to a guess. */
  answers(guess) {
    const place = this.c.page_code_answers(this.hint, guess) >>> 0;
    return this.engine.at(place, this.count, Uint8Array);
  }

  close() {
    this.c.page_free(this.owner);
  }
}

/** The search for guesses after a history of a game of words or a table. */
class ListSearch {
  constructor(engine, game, rule, found) {
    const { candidates } = found;
    this.allowed = allowedGuesses(game, rule, found);
    if (this.allowed.length * candidates.length > MAX_PAIRS) {
      throw new TooLarge();
    }
    Object.assign(this, { engine, c: engine.c, game, rule, candidates, weights: weightsOf(game, found) });
  }

  async best(slices) {
    return (await this.ranking(1, slices))[0];
  }

  /** Return the best guesses, best first. */
  async ranking(width, slices) {
    const { engine, c, game, candidates } = this;
    const owner = c.page_owner();
    let hint = 0;
    try {
      const node = [
        game.feedbacks, engine.put(owner, Uint32Array.from(candidates)),
        engine.put(owner, Uint32Array.from(this.weights)), candidates.length, this.rule.number, width,
      ];
      if (game.words) {
        hint = checked(c.page_word_hint(owner, engine.words(game), ...node));
      } else {
        const rows = engine.put(owner, game.rows(candidates));
        const parts = Int32Array.from(game.list, (_, guess) => (guess < game.given ? guess : -1));
        const own = engine.put(owner, parts);
        hint = checked(c.page_table_hint(owner, rows, own, game.given, game.guessCount, ...node));
      }
      const guesses = engine.put(owner, this.allowed);
      const step = Math.ceil(LIST_PAIRS / candidates.length);
      for (let start = 0; start < this.allowed.length; start += step) {
        await slices.pause(start / this.allowed.length);
        const count = Math.min(step, this.allowed.length - start);
        c.page_score_sums(hint, guesses + 4 * start, count);
      }
      const out = checked(c.page_take(owner, width, 4));
      return Array.from(engine.at(out, c.page_best_sums(hint, out), Uint32Array));
    } finally {
      if (hint) {
        c.page_close_sums(hint);
      }
      c.page_free(owner);
    }
  }

  lowest(guess) {
    return guess;
  }

  answers(guess) {
    return this.candidates.map((secret) => this.game.answer(guess, secret));
  }

  close() {}
}

/** Return the guesses that the rule allows, in ascending order, without refused guesses. */
function allowedGuesses(game, rule, { pairs, candidates, refused }) {
  const all = rule.consistentOnly ? candidates : Array.from({ length: game.guessCount }, (_, k) => k);
  const known = game.words && rule.hardMode ? shown(game, pairs) : [];
  const keeps = (guess) => !known.length || !brokenHint(game, game.digits(guess), known);
  return Uint32Array.from(all.filter((guess) => !refused?.has(guess) && keeps(guess)));
}
