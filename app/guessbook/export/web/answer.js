// The answer to a history: the candidates and the next guess, from the book or computed.

/**
 * Return the state of the game after a history. `state` is one of
 * - "book": on-book, at `node`;
 * - "live": off-book, with `candidates`;
 * - "solved": an entry has the feedback "solved", and `secret` fits all entries;
 * - "none": nothing fits; `suspects` are the entries to re-check: without one of these, the rest fits;
 * - "large": off-book, in a game with more codes than this page can test.
 * `amongGuesses` means that no secret fits, and that the candidates are guesses that fit.
 *
 * @param history pairs of numbers, a guess and its feedback
 */
async function survey(book, history, signal, report) {
  const { game, tree } = book;
  const pairs = [...new Map(history.map((pair) => [pair.join(), pair])).values()];
  const node = tree.walk(pairs);
  if (node >= 0) {
    return { state: "book", pairs, node, remaining: tree.candidates[node] };
  }
  const slices = new Slices(signal, report);
  const last = pairs.find(([, feedback]) => feedback === game.solved);
  if (last) {
    const [secret] = last;
    const fits = pairs.every(([guess, answer]) => feedbackOf(game, guess, secret) === answer);
    const amongGuesses = !game.isSecret(secret);
    if (fits && (!amongGuesses || game.words)) {
      return { state: "solved", pairs, secret, remaining: 1, amongGuesses };
    }
  }
  if (game.secretCount > MAX_CODES) {
    return { state: "large", pairs, remaining: null };
  }
  const candidates = last ? [] : await candidatesAfter(game, pairs, slices);
  if (candidates.length) {
    return { state: "live", pairs, candidates, remaining: candidates.length };
  }
  if (!last && beyond(game)) {
    const others = await candidatesAfter(game, pairs, slices, { all: true });
    if (others.length) {
      const known = { candidates: others, remaining: others.length, amongGuesses: true };
      return { state: "live", pairs, ...known };
    }
  }
  return { state: "none", pairs, remaining: 0, suspects: await suspects(book, pairs, slices) };
}

/** Whether guesses that are not secrets are tried: only words, because lists of secrets differ. */
function beyond(game) {
  return game.words && game.guessCount > game.secretCount;
}

/** Return the entries to re-check: without one of these, the others fit a secret, or else a guess. */
async function suspects({ game }, pairs, slices) {
  for (const all of beyond(game) ? [false, true] : [false]) {
    const found = [];
    for (const pair of pairs) {
      const others = pairs.filter((other) => other !== pair);
      if ((await candidatesAfter(game, others, slices, { limit: 1, all })).length) {
        found.push(pair);
      }
    }
    if (found.length) {
      return found;
    }
  }
  return [];
}

/** Return the result of a survey without refused guesses, which are neither suggested nor listed. */
function without(book, found, refused) {
  if (!refused.size || !["book", "live"].includes(found.state)) {
    return found;
  }
  const candidates = candidatesOf(book, found).filter((code) => !refused.has(code));
  const known = { state: candidates.length ? "live" : "none", suspects: [], refused };
  return { ...found, ...known, candidates, remaining: candidates.length };
}

/** Return the candidates that a survey found, in ascending order. */
function candidatesOf({ tree }, found) {
  return found.state === "book" ? tree.secrets(found.node) : (found.candidates ?? [found.secret]);
}

/** Return the next guess after a survey, the sizes of its cells, and whether it may be the secret. */
async function suggest({ game, tree, policy }, found, signal, report) {
  if (found.state === "book") {
    const { node } = found;
    return { guess: tree.guess[node], sizes: tree.cells(node), candidate: tree.isCandidate(node) };
  }
  if (found.state === "solved") {
    return { guess: found.secret, sizes: [1], candidate: true };
  }
  if (found.state !== "live") {
    return null;
  }
  const slices = new Slices(signal, report);
  return bestGuess(game, ruleOf(policy), found, slices);
}

/** Return the probability that a guess is the secret, and the entropy of the candidates in bits. */
function odds(book, found, guess) {
  const weights = candidatesOf(book, found).map((secret) => book.game.weight(secret));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return { chance: (book.game.weight(guess) ?? 0) / total, missing: entropy(weights) };
}

/**
 * Return a hint for scripts, with keys of `guessbook hint --json`: `guess`, `source`, `remaining`,
 * `entropy` in bits, `candidate`, `solved` and `chance`; and `suspects`, the entries to re-check.
 * `guess` is null if no secret fits, or if the search would take too long.
 *
 * @param history pairs of strings: [["RYGB", "1,1"]]
 * @throws RangeError for an invalid code or feedback
 */
async function hint(book, history) {
  const { game } = book;
  const pairs = history.map(([code, text]) => [codeFrom(game, code), feedbackFrom(game, text)]);
  const found = await survey(book, pairs);
  const choice = await suggest(book, found);
  return {
    guess: choice && game.format(choice.guess),
    source: found.state === "book" ? "book" : found.amongGuesses ? "guesses" : "live",
    remaining: found.remaining,
    entropy: choice && entropy(choice.sizes),
    candidate: choice !== null && choice.candidate,
    solved: found.state === "solved",
    chance: choice && chanceOf(book, found, choice),
    suspects: (found.suspects ?? []).map(([guess, feedback]) => [
      game.format(guess),
      game.formatFeedback(feedback),
    ]),
  };
}

/** The probability that a chosen guess is the secret. */
function chanceOf(book, found, choice) {
  if (book.game.weights && !found.amongGuesses) {
    return odds(book, found, choice.guess).chance;
  }
  return choice.candidate ? 1 / found.remaining : 0;
}

/** Return the index of a guess from its text. The guess may be missing from the list of guesses. */
function codeFrom(game, text) {
  const written = game.words ? text.normalize("NFC") : text;
  const digits = Array.from(written, (symbol) => game.rank(symbol));
  const whole = digits.length === game.length && !digits.includes(undefined);
  const index = game.labels ? game.parse(text) : whole ? game.made(digits) : -1;
  if (index < 0) {
    throw new RangeError(`found code "${text}", expected a code of this game`);
  }
  return index;
}

/** Return the number of a feedback from its text: "1,1" (black, white), or "10202" for words. */
function feedbackFrom(game, text) {
  const number = game.labels ? game.parseFeedback(text) : -1;
  if (number >= 0) {
    return number;
  }
  const parts = game.words ? Array.from(text) : text.split(",");
  const numbers = parts.map((part) => (/^ *[0-9]+ *$/.test(part) ? Number(part) : NaN));
  const marks = !game.words || numbers.every((number) => number <= 2);
  const size = game.words ? game.length : 2;
  if (numbers.length !== size || game.labels || numbers.includes(NaN) || !marks || !game.gives(...numbers)) {
    throw new RangeError(`found feedback "${text}", expected one that this game gives`);
  }
  return game.feedback(...numbers);
}
