// Live: the candidates and the policy's guess for a history that the book does not cover. The work
// is done in slices of a few milliseconds, so that the page answers to people meanwhile.

const SLICE = 10; // milliseconds
const CHUNK = 2048; // secrets that are looked at together

// Beyond these the page would take too long: codes to look through, and pairs of codes to compare.
const MAX_CODES = 1 << 22;
const MAX_PAIRS = 1_000_000_000;

/** Lets the browser draw and react, when a slice is over; stops if the work is not wanted any more. */
class Slices {
  constructor(signal, report = () => {}) {
    this.signal = signal;
    this.report = report;
    this.end = performance.now() + SLICE;
  }

  get over() {
    return performance.now() > this.end;
  }

  async pause(done) {
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

/**
 * The secrets that give every guess of a history its feedback, ascending; at most `limit`. If `all`,
 * each guess may be the secret.
 */
async function candidatesAfter(game, history, slices, { limit = Infinity, all = false } = {}) {
  const found = [];
  const out = room(game, CHUNK);
  const past = history.map(([guess, feedback]) => [game.digits(guess), feedback]);
  const count = all ? game.guessCount : game.secretCount;
  for (let start = 0; start < count && found.length < limit; start += CHUNK) {
    const end = Math.min(start + CHUNK, count);
    const codes = Array.from({ length: end - start }, (_, k) => start + k);
    let left = all ? codes : codes.map((n) => game.secret(n));
    for (const [digits, feedback] of past) {
      game.answers(digits, game.table(left), out);
      left = left.filter((_, k) => out[k] === feedback);
    }
    found.push(...left);
    if (slices.over) {
      await slices.pause(end / count);
    }
  }
  return found;
}

/** Whether a scored guess comes before another: the higher score, then a candidate, then the lower. */
function isBetter(one, other) {
  if (one.score !== other.score) {
    return one.score > other.score;
  }
  return one.candidate === other.candidate ? one.guess < other.guess : one.candidate;
}

/** The policy's guess, the first by `isBetter`; null if that would take too long. */
async function bestGuess(game, rule, found, slices) {
  const { candidates } = found;
  const partition = partitioner(game, candidates);
  // Of two the lower one splits them, and nothing is better, unless one counts more than the other.
  if (candidates.length < (game.weights ? 2 : 3)) {
    return { guess: candidates[0], sizes: partition(candidates[0]), candidate: true };
  }
  let best = null;
  const done = await scoreAll(game, rule, found, slices, (scored) => {
    if (best === null || isBetter(scored, best)) {
      best = scored;
    }
    // One that separates all candidates and may be the secret: nothing is better.
    const { candidate, sizes } = scored;
    return candidate && sizes.length === candidates.length && !(game.weights && rule.credit);
  });
  return done ? best : null;
}

/**
 * Score the guesses that the rule allows and nobody refused, ascending, and give each to `see`, until
 * that says that it has seen enough. False, and none is scored, if that would take too long.
 */
async function scoreAll(game, rule, { pairs, candidates, refused }, slices, see) {
  const all = await guessesToScore(game, rule, pairs, candidates, slices);
  const guesses = refused ? all.filter((guess) => !refused.has(guess)) : all;
  if (guesses.length * candidates.length > MAX_PAIRS) {
    return false;
  }
  const partition = partitioner(game, candidates);
  const possible = new Set(candidates);
  const costs = new Map();
  for (const [k, guess] of guesses.entries()) {
    const sizes = partition(guess);
    const candidate = possible.has(guess);
    const credit = candidate ? rule.credit * BigInt(game.weight(guess)) : 0n;
    if (see({ guess, candidate, sizes, score: scoreOf(rule, sizes, costs) + credit })) {
      return true;
    }
    if (slices.over) {
      await slices.pause(k / guesses.length);
    }
  }
  return true;
}

/**
 * A function that gives the sizes of the cells into which a guess splits the candidates; where secrets
 * have weights, how much each cell counts.
 */
function partitioner(game, candidates) {
  const table = game.table(candidates);
  const answers = room(game, candidates.length);
  const weights = game.weights && Int32Array.from(candidates, (secret) => game.weight(secret));
  const counts = new Int32Array(game.feedbacks);
  return (guess) => {
    game.answers(game.digits(guess), table, answers);
    const met = [];
    for (let k = 0; k < answers.length; k++) {
      const feedback = answers[k];
      if (counts[feedback] === 0) {
        met.push(feedback);
      }
      counts[feedback] += weights ? weights[k] : 1;
    }
    return met.map((feedback) => {
      const size = counts[feedback];
      counts[feedback] = 0;
      return size;
    });
  };
}

/** The guesses that the rule allows and that are not equivalent to one before them, ascending. */
async function guessesToScore(game, rule, history, candidates, slices) {
  const from = rule.consistentOnly ? candidates : null;
  const count = from ? from.length : game.guessCount;
  const named = new Set(history.flatMap(([guess]) => game.digits(guess)));
  const known = game.words && rule.hardMode && !from ? shown(game, history) : null;
  const found = [];
  for (let k = 0; k < count; k++) {
    const guess = from ? from[k] : k;
    const digits = game.digits(guess);
    if (known ? keeps(digits, known) : !game.symmetric || isLowest(digits, named)) {
      found.push(guess);
    }
    if (slices.over) {
      await slices.pause(0);
    }
  }
  return found;
}

/**
 * Whether no exchange of the symbols that the history does not name makes a lower code of a code:
 * the history is the same after such an exchange, so of these codes one has to be scored.
 */
function isLowest(digits, named) {
  let least = 0;
  const met = new Set();
  for (const digit of digits) {
    if (named.has(digit) || met.has(digit)) {
      continue;
    }
    while (named.has(least) || met.has(least)) {
      least++;
    }
    if (digit !== least) {
      return false;
    }
    met.add(digit);
  }
  return true;
}

/** For Wordle's hard mode, of each answer: the letters in place, and how often each was shown. */
function shown(game, history) {
  return history.map(([guess, feedback]) => {
    const marks = game.marks(feedback);
    const digits = game.digits(guess);
    const counts = new Map();
    digits.forEach((digit, p) => {
      if (marks[p]) {
        counts.set(digit, (counts.get(digit) ?? 0) + 1);
      }
    });
    return { placed: digits.map((digit, p) => (marks[p] === 2 ? digit : null)), counts };
  });
}

/** The rule of Wordle's hard mode that a word breaks, with the letter; empty if it is allowed. */
function brokenHint(game, digits, known) {
  for (const { placed, counts } of known) {
    const place = placed.findIndex((digit, p) => digit !== null && digit !== digits[p]);
    if (place >= 0) {
      return `letter ${place + 1} has to be ${game.symbols[placed[place]].toUpperCase()}`;
    }
    for (const [digit, times] of counts) {
      if (digits.filter((other) => other === digit).length < times) {
        const letter = game.symbols[digit].toUpperCase();
        return `it needs the letter ${letter}${times > 1 ? ` ${times} times` : ""}`;
      }
    }
  }
  return "";
}

/** Whether hard mode allows a word: letters in place stay, and letters that were shown are used. */
function keeps(digits, known) {
  return known.every(
    ({ placed, counts }) =>
      placed.every((digit, p) => digit === null || digit === digits[p]) &&
      [...counts].every(([digit, n]) => digits.filter((other) => other === digit).length >= n),
  );
}
