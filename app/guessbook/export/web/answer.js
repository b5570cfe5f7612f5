// The answer to a history: the candidates and the next guess, from the book or computed.

/**
 * Return the state of the game after a history. `state` is one of
 * - "book": on-book, at `node`;
 * - "live": off-book, with `candidates`;
 * - "solved": an entry has the feedback "solved", and `secret` fits all entries;
 * - "outcome": (in a table that identifies outcomes) no further test helps;
 * - "none": nothing fits; `suspects` are the entries to re-check: without one of these, the rest fits;
 * - "unknown": off-book, in a code game with more codes than this page can test, or without the engine.
 * `amongGuesses` means that no secret fits, and that the candidates are guesses that fit.
 *
 * @param history pairs of numbers, a guess and its feedback
 */
async function survey(book, history) {
  const { game, tree } = book;
  const pairs = [...new Map(history.map((pair) => [pair.join(), pair])).values()];
  if (game.outcomes) {
    return surveyTests(book, pairs);
  }
  const node = tree.walk(pairs);
  if (node >= 0) {
    return { state: "book", pairs, node, remaining: tree.candidates[node] };
  }
  const last = pairs.find(([, feedback]) => feedback === game.solved);
  if (last) {
    const [secret] = last;
    const amongGuesses = !game.isSecret(secret);
    if (fits(game, pairs, secret) && (!amongGuesses || game.words)) {
      return { state: "solved", pairs, secret, remaining: 1, amongGuesses };
    }
  }
  const tests = await testsOf(book);
  if (!tests) {
    return { state: "unknown", pairs, remaining: null };
  }
  const [fitting, ...more] = tests;
  const candidates = last ? [] : fitting(pairs);
  if (candidates.length) {
    return { state: "live", pairs, candidates, remaining: candidates.length };
  }
  const others = last ? [] : more.flatMap((among) => among(pairs));
  if (others.length) {
    const known = { candidates: others, remaining: others.length, amongGuesses: true };
    return { state: "live", pairs, ...known };
  }
  return { state: "none", pairs, remaining: 0, suspects: suspects(tests, pairs) };
}

/**
 * Return functions that list the codes that fit a history: one lists secrets, and in word games another
 * lists guesses. The result is null if this page cannot test the codes.
 */
async function testsOf(book) {
  const { game } = book;
  if (game.secretIndices) {
    const among = (codes) => (pairs) => codes.filter((code) => fits(game, pairs, code));
    const guesses = Array.from({ length: beyond(game) ? game.guessCount : 0 }, (_, k) => k);
    return [game.secretIndices, guesses].filter((codes) => codes.length).map(among);
  }
  const engine = await book.engine();
  return engine?.loads(game) ? [(pairs) => engine.fitting(game, pairs)] : null;
}

function fits(game, pairs, code) {
  return pairs.every(([guess, feedback]) => game.answer(guess, code) === feedback);
}

/** Whether guesses that are not secrets are tried: only in word games, whose lists of secrets differ. */
function beyond(game) {
  return game.words && game.guessCount > game.secretCount;
}

/** Return the entries to re-check: without one of these, the others fit a secret, or else a guess. */
function suspects(tests, pairs) {
  for (const fitting of tests) {
    const rest = (pair) => pairs.filter((other) => other !== pair);
    const found = pairs.filter((pair) => fitting(rest(pair)).length);
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
  return found.candidates ?? (found.state === "book" ? tree.secrets(found.node) : [found.secret]);
}

/**
 * Return the next guess after a survey, the sizes of its cells, and whether it may be the secret; null
 * if this page finds none.
 */
async function suggest(book, found, signal, report) {
  const { game, tree } = book;
  if (game.outcomes) {
    return suggestTest(book, found, new Slices(signal, report));
  }
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
  const [first, second] = found.candidates;
  // With one candidate, or two without weights, no guess is better than the first candidate.
  if (second === undefined || (found.candidates.length === 2 && !weighed(game, found))) {
    return { guess: first, sizes: second === undefined ? [1] : [1, 1], candidate: true };
  }
  return searched(book, found, async (search) => {
    const guess = await search.best(new Slices(signal, report));
    return partition(game, found, guess, search.answers(guess));
  });
}

/**
 * Call `act` with the search of the engine for a survey with `candidates`. The result is null without
 * the engine, or if the search is too large.
 */
async function searched(book, found, act) {
  const engine = await book.engine();
  const kind = book.game.secretIndices ? ListSearch : CodeSearch;
  let search = null;
  try {
    search = engine && new kind(engine, book.game, ruleOf(book.policy), found);
    return search && (await act(search));
  } catch (error) {
    if (error instanceof TooLarge) {
      return null;
    }
    throw error;
  } finally {
    search?.close();
  }
}

/** Return a guess with the sizes or weights of its cells, and whether it may be the secret. */
function partition(game, found, guess, answers) {
  const cells = cellsOf(game, found, answers);
  return { guess, sizes: [...cells.values()], candidate: cells.has(game.solved) };
}

/** Return the size or weight of the cell of each answer. */
function cellsOf(game, found, answers) {
  const weights = weighed(game, found) && weightsOf(game, found);
  const cells = new Map();
  answers.forEach((answer, k) => {
    cells.set(answer, (cells.get(answer) ?? 0) + (weights ? weights[k] : 1));
  });
  return cells;
}

/** Whether the candidates of a survey have weights. Guesses beyond the secrets are equally likely. */
function weighed(game, found) {
  return Boolean(game.weights) && !found.amongGuesses;
}

/** Return the weight of each candidate of a survey. */
function weightsOf(game, found) {
  return found.candidates.map((code) => (weighed(game, found) ? game.weight(code) : 1));
}

/** Return the information that a guess is expected to give, in bits. */
function bitsOf(choice) {
  return choice.bits ?? entropy(choice.sizes);
}

const BEST = 10;

/**
 * Return the best guesses, best first, as `guessbook explain` lists them. Of guesses that differ only
 * by a symmetry, one is listed: the suggested guess, if it is one of them. If the suggested guess is not
 * among the best, it is added at the end. Each item is a result of `partition`. The result is null if
 * this page cannot compute it.
 */
async function bestGuesses(book, survey, suggested, signal) {
  const found = { ...survey, candidates: candidatesOf(book, survey) };
  if (book.game.outcomes) {
    return bestTests(book.game, found, suggested, new Slices(signal));
  }
  return searched(book, found, async (search) => {
    const best = await search.ranking(BEST, new Slices(signal));
    const place = best.indexOf(search.lowest(suggested));
    best[place < 0 ? best.length : place] = suggested;
    return best.map((guess) => partition(book.game, found, guess, search.answers(guess)));
  });
}

/** Return the probability that a guess is the secret, and the entropy of the candidates in bits. */
function odds(book, survey, choice) {
  const found = { ...survey, candidates: candidatesOf(book, survey) };
  const weights = weightsOf(book.game, found);
  const own = choice?.candidate ? weights[found.candidates.indexOf(choice.guess)] : 0;
  return {
    chance: own / weights.reduce((sum, weight) => sum + weight, 0),
    missing: entropy(weights),
  };
}

/**
 * Return a hint for scripts, with the keys of `guessbook hint --json`, and `suspects`, the entries to
 * re-check. `guess` is null if nothing fits, or if this page cannot compute it.
 *
 * @param history pairs of strings: [["RYGB", "1,1"]]
 * @throws RangeError for an invalid code or feedback
 */
async function hint(book, history) {
  const { game } = book;
  const pairs = history.map(([code, text]) => [codeFrom(game, code), feedbackFrom(game, text)]);
  if (game.outcomes) {
    return testHint(book, pairs);
  }
  const found = await survey(book, pairs);
  const choice = await suggest(book, found);
  return {
    guess: choice && game.format(choice.guess),
    source: found.state === "book" ? "book" : found.amongGuesses ? "guesses" : "live",
    remaining: found.remaining,
    entropy: choice && entropy(choice.sizes),
    candidate: choice !== null && choice.candidate,
    solved: found.state === "solved",
    chance: choice && odds(book, found, choice).chance,
    others: othersFitting(game, found),
    win: winOf(book, found),
    outcome: null,
    outcomes: null,
    cost: null,
    answers: null,
    suspects: (found.suspects ?? []).map(([guess, feedback]) => [
      game.format(guess),
      game.formatFeedback(feedback),
    ]),
  };
}

/**
 * Return the number of guesses that fit besides the only secret that fits; null in other states, and if
 * only listed secrets may be the secret.
 */
function othersFitting(game, { state, pairs, remaining, amongGuesses }) {
  const wider = game.words && game.guessCount > game.secretCount;
  if (!wider || remaining !== 1 || state === "solved" || amongGuesses) {
    return null;
  }
  const every = Array.from({ length: game.guessCount }, (_, k) => k);
  return every.filter((guess) => fits(game, pairs, guess)).length - 1;
}

/** Return the probability that a book of the policy "win" finds the secret within its limit; else null. */
function winOf({ tree, policy }, { state, node, pairs }) {
  if (policy.name !== "win" || state !== "book") {
    return null;
  }
  return tree.found(node, policy.within - pairs.length) / tree.weights[node];
}

/** Return the index of a guess from its text. The guess may be missing from the list of guesses. */
function codeFrom(game, text) {
  const written = game.words ? text.normalize("NFC") : text;
  const digits = Array.from(written, (symbol) => game.rank(symbol));
  const whole = digits.length === game.length && !digits.includes(undefined);
  const index = game.labels ? game.parse(text) : whole ? game.made(digits) : -1;
  if (index < 0) {
    throw new RangeError(`"${text}" is not a code of this game`);
  }
  return index;
}

/** The signs of each mark of a letter, as `WordGame.parse_feedback` reads them. */
const SIGNS = ["0⬛⬜bw.-_x", "1🟨🟦y", "2🟩🟧g"].map((signs) => Array.from(signs));

/** Return the marks that a text gives letters: digits, squares, or letters such as `.y--g`. */
function marksFrom(text) {
  const signs = Array.from(text.replace(/[ ,\ufe0f]/g, "").toLowerCase());
  return signs.map((sign) => SIGNS.findIndex((some) => some.includes(sign)));
}

/** Return the number of a feedback from its text: "1,1" (black, white), or "10202" for words. */
function feedbackFrom(game, text) {
  const number = game.labels ? game.parseFeedback(text) : null;
  if (number !== null) {
    return number;
  }
  const counts = () => text.split(",").map((part) => (/^ *[0-9]+ *$/.test(part) ? Number(part) : -1));
  const numbers = game.words ? marksFrom(text) : counts();
  const size = game.words ? game.length : 2;
  if (numbers.length !== size || game.labels || numbers.includes(-1) || !game.gives(...numbers)) {
    throw new RangeError(`"${text}" is not a feedback of this game`);
  }
  return game.feedback(...numbers);
}
