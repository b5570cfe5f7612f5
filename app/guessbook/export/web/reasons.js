// Reasons: the best guesses after a history, to compare with the suggested one.

const BEST = 10;
const MAX_PERMUTED = 7; // in longer codes, no positions are exchanged

/**
 * Return the best guesses, best first, as `guessbook explain` lists them. Of guesses that differ only
 * by a symmetry, one is listed: the suggested guess, if it is among them. Else the suggested guess is
 * added at the end. Each item has `guess`, `candidate`, and the sizes of the cells as `sizes`. The
 * result is null if the search would take too long.
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
 * Return a function that lists the images of a guess, at most `limit`. An image is the guess after an
 * exchange of positions and symbols that keeps each guess of the history. Symbols outside the history
 * are interchangeable, so an image has the lowest of them in the order of their appearance. If symbols
 * may repeat, all symbols that no candidate has become one symbol.
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
 * Return the symmetries that keep every guess in `rows`; the identity comes first. A symmetry has for
 * each position the position whose symbol moves there, and for each symbol of the rows the new symbol.
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

/** Return `names` extended by a move of `position` to `place`; null if two symbols would conflict. */
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
