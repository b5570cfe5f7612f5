// Reasons: the best guesses after a history, to compare with the suggested one.

const BEST = 10;
const MAX_PERMUTED = 7; // positions; of more none is exchanged with another

/**
 * The best guesses, best first, as `guessbook explain` lists them: of guesses that are mirror images
 * of each other one. The suggested guess stands for its images, or at the end where it is none of
 * the best. Each has `guess`, `candidate`, and its cells as `sizes`; null if that takes too long.
 */
async function bestGuesses({ game, tree, policy }, found, suggested, signal) {
  const rule = ruleOf(policy);
  const candidates = candidatesOf({ tree }, found);
  const slices = new Slices(signal);
  const scored = [];
  const see = ({ guess, candidate, score }) => {
    scored.push({ guess, candidate, score });
    return false;
  };
  if (!(await scoreAll(game, rule, { ...found, candidates }, slices, see))) {
    return null;
  }
  scored.sort((one, other) => (isBetter(one, other) ? -1 : 1));
  const images = imagesOf(game, found.pairs, candidates);
  const alike = new Set(images(suggested));
  const seen = new Set();
  const best = [];
  for (const { guess } of scored) {
    const own = images(guess, 1)[0];
    if (best.length < BEST && !seen.has(own)) {
      images(guess).forEach((image) => seen.add(image));
      best.push(alike.has(own) ? suggested : guess);
    }
  }
  if (!best.includes(suggested)) {
    best.push(suggested);
  }
  const partition = partitioner(game, candidates);
  const possible = new Set(candidates);
  return best.map((guess) => ({ guess, candidate: possible.has(guess), sizes: partition(guess) }));
}

/**
 * A function that gives the images of a guess under the symmetries that keep each guess of the
 * history: at most `limit`, first its own name among those that are equal to it. In these symbols
 * that are alike, as no guess has named them, become the lowest ones in the order in which they
 * appear; if codes repeat symbols, those that no candidate has become one.
 */
function imagesOf(game, history, candidates) {
  if (!game.symmetric) {
    return (guess) => [guess];
  }
  const rows = history.map(([guess]) => game.digits(guess));
  const named = new Set(rows.flat());
  const held = new Set();
  for (let k = 0; k < candidates.length && held.size < game.symbols.length; k++) {
    game.digits(candidates[k]).forEach((digit) => held.add(digit));
  }
  const digits = game.symbols.map((_, digit) => digit);
  const absent = digits.filter((digit) => !held.has(digit));
  const free = digits.filter((digit) => held.has(digit) && !named.has(digit));
  const one = game.repeats ? absent.map((digit) => [digit, absent[0]]) : [];
  const found = symmetries(game.length, rows).map(([order, names]) => [
    order,
    new Map([...[...names].filter(([digit]) => held.has(digit)), ...one]),
  ]);
  const image = (code, order, fixed) => {
    const names = new Map(fixed);
    const left = { true: free.values(), false: absent.values() };
    return game.index(
      order.map((place) => {
        const digit = code[place];
        if (!names.has(digit)) {
          names.set(digit, left[held.has(digit)].next().value);
        }
        return names.get(digit);
      }),
    );
  };
  return (guess, limit = Infinity) => {
    const code = game.digits(guess);
    return found.slice(0, limit).map(([order, fixed]) => image(code, order, fixed));
  };
}

/**
 * The symmetries that fix every guess of the rows; the identity comes first.
 * Each has the position from which each symbol is taken, and the image of each symbol.
 */
function symmetries(length, rows) {
  if (length > MAX_PERMUTED) {
    const names = new Map(rows.flat().map((digit) => [digit, digit]));
    return [[Array.from({ length }, (_, place) => place), names]];
  }
  let found = [[[], new Map()]];
  for (let place = 0; place < length; place++) {
    found = found.flatMap(([order, names]) =>
      Array.from({ length }, (_, position) => position)
        .filter((position) => !order.includes(position))
        .flatMap((position) => {
          const more = extended(names, rows, position, place);
          return more ? [[[...order, position], more]] : [];
        }),
    );
  }
  return found;
}

/** The names of symbols where one position takes the place of another; null if that cannot be. */
function extended(names, rows, position, place) {
  const more = new Map(names);
  for (const row of rows) {
    const [digit, image] = [row[position], row[place]];
    if ((more.get(digit) ?? image) !== image) {
      return null;
    }
    more.set(digit, image);
  }
  return new Set(more.values()).size === more.size ? more : null;
}
