// Tables whose tests are asked until the outcome is known. Off-book, the page finds the next test by the
// definition of `entropy` in docs/reference/policies.md.

const NOT_KNOWN = -1; // the answer to a test that the user cannot answer
const UNKNOWN = "?"; // how a link writes it
const LOG_BITS = 36;
const MAX_CELLS = 50_000_000; // larger searches, of pairs of a test and a thing, would take too long

/** A code is the index of a test; after the tests come the outcomes. A thing is its column in the table. */
class IdentificationGame extends TableGame {
  constructor(header) {
    super(header);
    this.outcomes = header.outcomes.split("\n");
    this.outcomeOf = header.outcome;
    this.things = header.things.split("\n");
    this.costs = header.costs;
    this.unit = header.unit;
    this.priced = this.unit !== 1 || this.costs.some((cost) => cost !== 1);
  }

  format(index) {
    return index < this.given ? this.list[index] : this.outcomes[index - this.given];
  }

  /** Return a cost in the units of the table as text. */
  price(cost) {
    return (cost * this.unit).toLocaleString("en-US", { maximumFractionDigits: 4 });
  }

  formatFeedback(feedback) {
    return feedback === NOT_KNOWN ? UNKNOWN : super.formatFeedback(feedback);
  }

  parseFeedback(label) {
    const number = super.parseFeedback(label);
    return label.trim() === UNKNOWN ? NOT_KNOWN : number === this.solved ? null : number;
  }

  /** Return the labels of things, each once. */
  named(things) {
    return [...new Set(things.map((thing) => this.things[thing]))];
  }

  /** Return the weight of each outcome among some things, by the index of the outcome, in ascending order. */
  shares(things) {
    const sums = new Map();
    for (const thing of things) {
      const outcome = this.outcomeOf[thing];
      sums.set(outcome, (sums.get(outcome) ?? 0) + (this.weights?.get(thing) ?? 1));
    }
    return new Map([...sums].sort(([a], [b]) => a - b));
  }

  /** Return the things of each answer to a test. */
  split(test, things) {
    const cells = new Map();
    for (const thing of things) {
      const answer = this.answer(test, thing);
      if (!cells.has(answer)) {
        cells.set(answer, []);
      }
      cells.get(answer).push(thing);
    }
    return [...cells.values()];
  }

  /** Return the tests that split some things, without those that the user cannot answer. */
  splitting(things, skipped) {
    const splits = (test) => things.some((t) => this.answer(test, t) !== this.answer(test, things[0]));
    return this.list.map((_, test) => test).filter((test) => !skipped.has(test) && splits(test));
  }

  /** Return the expected information of a test about the outcome, in bits. */
  bits(test, things) {
    const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
    const parts = this.split(test, things).map((cell) => [...this.shares(cell).values()]);
    const all = [...this.shares(things).values()];
    const left = sum(parts.map((part) => sum(part) * entropy(part)));
    return Math.max(0, entropy(all) - left / sum(all));
  }
}

/** Return the state after a history of tests, as `survey` does; "outcome" means that no further test helps. */
function surveyTests({ game, tree }, pairs) {
  const known = pairs.filter(([, answer]) => answer !== NOT_KNOWN);
  const skipped = new Set(pairs.filter((pair) => !known.includes(pair)).map(([test]) => test));
  const among = (entries) => game.secretIndices.filter((thing) => fits(game, entries, thing));
  const candidates = among(known);
  const state = { pairs, known, skipped, candidates, remaining: game.named(candidates).length };
  if (!candidates.length) {
    return { ...state, state: "none", suspects: suspects([among], known) };
  }
  const node = tree.walk(known);
  const onBook = node >= 0 && !skipped.has(tree.guess[node]);
  const outcomes = [...game.shares(candidates).keys()];
  const over = onBook
    ? tree.guess[node] >= game.given
    : outcomes.length === 1 || !game.splitting(candidates, skipped).length;
  return {
    ...state,
    state: over ? "outcome" : onBook ? "book" : "live",
    source: onBook ? "book" : "live",
    node: onBook ? node : -1,
    outcome: over ? outcomes.map((outcome) => game.outcomes[outcome]).join(" or ") : null,
  };
}

/** Return the next test after a survey; null if there is none, or if the search is too large. */
async function suggestTest({ game, tree }, found, slices) {
  if (found.state === "book") {
    return choiceOf(game, found, tree.guess[found.node]);
  }
  const ranked = found.state === "live" ? await rankTests(game, found, slices) : null;
  return ranked && choiceOf(game, found, ranked[0]);
}

/** Return the best tests, best first, and the suggested test if it is not among them; null if there are too many. */
async function bestTests(game, found, suggested, slices) {
  const best = (await rankTests(game, found, slices))?.slice(0, BEST);
  return best && [...new Set([...best, suggested])].map((test) => choiceOf(game, found, test));
}

/** Return a test with the sizes of its cells, and its expected information about the outcome. */
function choiceOf(game, { candidates }, guess) {
  const sizes = game.split(guess, candidates).map((cell) => cell.length);
  return { guess, sizes, bits: game.bits(guess, candidates), candidate: false };
}

/** Return the tests that split the candidates, by their gain for the cost, the best first; null if there are too many. */
async function rankTests(game, { candidates, skipped }, slices) {
  const tests = game.splitting(candidates, skipped);
  if (tests.length * candidates.length > MAX_CELLS) {
    return null;
  }
  const costs = new Map();
  const all = doubt(game, candidates, costs);
  const ranked = [];
  for (const [done, test] of tests.entries()) {
    await slices.pause(done / tests.length);
    let left = 0n;
    for (const cell of game.split(test, candidates)) {
      left += doubt(game, cell, costs);
    }
    ranked.push({ test, gain: all > left ? all - left : 0n, cost: BigInt(game.costs[test]) });
  }
  // Quotients are compared exactly; sorting keeps the order of equal ones.
  const order = (a, b) => {
    const [left, right] = [a.gain * b.cost, b.gain * a.cost];
    return left > right ? -1 : left < right ? 1 : 0;
  };
  return ranked.sort(order).map(({ test }) => test);
}

/** Return the entropy of the outcome of some things, times their weight. `costs` caches n * L(n) for each n. */
function doubt(game, things, costs) {
  const cost = (n) => {
    if (!costs.has(n)) {
      costs.set(n, BigInt(n) * integerLog(n));
    }
    return costs.get(n);
  };
  let [total, known] = [0, 0n];
  for (const weight of game.shares(things).values()) {
    total += weight;
    known += cost(weight);
  }
  return cost(total) - known;
}

/** Return the integer logarithm of FORMAT.md: the sum of the rounded logarithms of the prime factors. */
function integerLog(number) {
  let [sum, rest] = [0n, number];
  for (let p = 2; p * p <= rest; p++) {
    for (; rest % p === 0; rest /= p) {
      sum += primeLog(p);
    }
  }
  return rest > 1 ? sum + primeLog(rest) : sum;
}

/** Return log2 of a prime below 2^32, times 2^LOG_BITS, rounded. Each squaring yields a bit, as in page.c. */
function primeLog(prime) {
  const whole = 31 - Math.clz32(prime);
  let x = BigInt(prime) << BigInt(63 - whole);
  let log = BigInt(whole);
  for (let bit = 0; bit <= LOG_BITS; bit++) {
    const square = x * x;
    const two = square >> 127n;
    x = square >> (63n + two);
    log = 2n * log + two;
  }
  return (log + 1n) >> 1n;
}

/** Return the hint for scripts after a history of tests, as `hint` does. */
async function testHint(book, pairs) {
  const { game } = book;
  const found = await survey(book, pairs);
  const choice = await suggestTest(book, found, new Slices());
  const over = found.state === "outcome";
  const text = ([test, answer]) => [game.format(test), game.formatFeedback(answer)];
  const shares = [...game.shares(found.candidates)];
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  const chances = shares.map(([outcome, weight]) => [game.outcomes[outcome], weight / total]);
  const best = Math.max(...chances.map(([, chance]) => chance));
  const answers = choice && new Set(found.candidates.map((thing) => game.answer(choice.guess, thing)));
  return {
    guess: over ? chances.find(([, chance]) => chance === best)[0] : choice && game.format(choice.guess),
    source: found.source ?? "live",
    remaining: found.candidates.length,
    entropy: over ? 0 : choice && choice.bits,
    candidate: over,
    solved: over && chances.length === 1,
    chance: over ? best : choice && 0,
    others: null,
    win: testsWin(book, found),
    outcome: found.outcome ?? null,
    outcomes: over ? Object.fromEntries(chances) : null,
    cost: choice && Number((game.costs[choice.guess] * game.unit).toPrecision(12)), // 0.3 for 3 * 0.1
    answers: choice && [...answers].sort((a, b) => a - b).map((answer) => game.formatFeedback(answer)),
    suspects: (found.suspects ?? []).map(text),
  };
}

/** Return the probability that a book of the policy "win" finds the outcome within its cost limit; else null. */
function testsWin({ game, tree, policy }, { node, known, candidates }) {
  if (policy.name !== "win" || !(node >= 0)) {
    return null;
  }
  const spent = (pairs) => pairs.reduce((sum, [test]) => sum + game.costs[test], 0);
  const limit = Math.floor(policy.within / game.unit + 1e-9);
  const inTime = candidates.filter((thing) => {
    let [at, cost] = [node, spent(known)];
    while (tree.guess[at] < game.given) {
      cost += game.costs[tree.guess[at]];
      at = tree.child(at, game.answer(tree.guess[at], thing));
    }
    return cost <= limit;
  });
  const weigh = (things) => [...game.shares(things).values()].reduce((sum, n) => sum + n, 0);
  return weigh(inTime) / weigh(candidates);
}
