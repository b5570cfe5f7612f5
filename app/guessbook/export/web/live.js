// The candidates and the policy's guess for an off-book history. The work is done in slices of a few
// milliseconds, so the page reacts to the user meanwhile.

const SLICE = 10; // milliseconds
const CHUNK = 2048; // number of secrets that are tested together

// Larger searches would take too long: the largest number of codes, and of pairs (guess, candidate).
const MAX_CODES = 1 << 22;
const MAX_PAIRS = 1_000_000_000;

/** Slices of work. Between two slices, `pause` lets the browser react, and throws after an abort. */
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
 * Return the secrets that fit a history, in ascending order; with `all`, the guesses that fit. The
 * search stops when at least `limit` are found.
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

/** Whether `one` is a better guess: by score, then a candidate, then the lower index. */
function isBetter(one, other) {
  if (one.score !== other.score) {
    return one.score > other.score;
  }
  return one.candidate === other.candidate ? one.guess < other.guess : one.candidate;
}

/** Return the policy's guess, the best by `isBetter`; null if the search would take too long. */
async function bestGuess(game, rule, found, slices) {
  const { candidates } = found;
  const partition = partitioner(game, candidates);
  // With one candidate, or two without weights, no guess is better than the first candidate.
  if (candidates.length < (game.weights ? 2 : 3)) {
    return { guess: candidates[0], sizes: partition(candidates[0]), candidate: true };
  }
  let best = null;
  const done = await scoreAll(game, rule, found, slices, (scored) => {
    if (best === null || isBetter(scored, best)) {
      best = scored;
    }
    // Stop at a candidate that separates all candidates: no guess has a better result.
    const { candidate, sizes } = scored;
    return candidate && sizes.length === candidates.length && !(game.weights && rule.credit);
  });
  return done ? best : null;
}

/**
 * Score the guesses that the rule allows, without refused guesses, in ascending order. `see` gets each
 * of them, and ends the search by returning true. Return false, without a score, if the search would
 * take too long.
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
 * Return a function from a guess to the sizes of its cells. If secrets have weights, the function
 * returns the sum of the weights in each cell.
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

/** Return the guesses that the rule allows, in ascending order, without equivalents of lower guesses. */
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
 * Whether a code is the lowest of its equivalents. Codes are equivalent if an exchange of symbols
 * outside the history turns one into the other: all have the same score, so one is scored.
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

/** For Wordle's hard mode: for each entry, the letters in place, and the count of each shown letter. */
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

/** Return a message on how a word breaks Wordle's hard mode; empty if the word is allowed. */
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

/** Whether hard mode allows a word: it keeps the letters in place, and uses all shown letters. */
function keeps(digits, known) {
  return known.every(
    ({ placed, counts }) =>
      placed.every((digit, p) => digit === null || digit === digits[p]) &&
      [...counts].every(([digit, n]) => digits.filter((other) => other === digit).length >= n),
  );
}
