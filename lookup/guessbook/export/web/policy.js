// Policies that score partitions with exact integers, so that no tie is decided by rounding.

const LOG_BITS = 36;

/** The smallest prime factors, and the logarithms made of them so far; both grow when needed. */
const factors = [0, 1];
const logs = [0n, 0n];

/**
 * L(0) to L(size): for a prime p, log2(p) * 2^36 rounded; for n = a*b, L(n) = L(a) + L(b). Numbers
 * of any length (BigInt): a score may exceed 2^53.
 */
function integerLogs(size) {
  if (logs.length <= size) {
    smallestFactors(2 * size);
    for (let n = logs.length; n <= size; n++) {
      const p = factors[n];
      logs.push(p === n ? logOfPrime(p) : logs[p] + logs[n / p]);
    }
  }
  return logs;
}

function smallestFactors(size) {
  for (let n = factors.length; n <= size; n++) {
    factors.push(n);
  }
  for (let p = 2; p * p <= size; p++) {
    if (factors[p] === p) {
      for (let multiple = p * p; multiple <= size; multiple += p) {
        factors[multiple] = Math.min(factors[multiple], p);
      }
    }
  }
}

/** log2(p) * 2^36, rounded: bit by bit, by squaring. Math.log2 may differ from browser to browser. */
function logOfPrime(p) {
  const precision = 128n;
  const whole = BigInt(p.toString(2).length - 1);
  let x = (BigInt(p) << precision) >> whole; // 1 <= x < 2
  let log = whole;
  for (let bit = 0; bit <= LOG_BITS; bit++) {
    x = (x * x) >> precision;
    const two = x >> (precision + 1n);
    x >>= two;
    log = 2n * log + two;
  }
  return (log + 1n) >> 1n;
}

/** The cost of a cell of n candidates; the lower the better. */
const COSTS = {
  entropy: (n) => BigInt(n) * integerLogs(n)[n],
  expected: (n) => BigInt(n) * BigInt(n),
  parts: () => -1n,
  minimax: (n) => BigInt(n),
  "entropy-corrected": (n) => BigInt(n) * integerLogs(n)[n],
};

/** What policies that this page does not compute build on, if their header does not say. */
const USUAL_BASE = { lookahead: "entropy-corrected" };

/**
 * The rule that this page computes off-book for a policy of a book: the policy itself if it scores
 * partitions, and otherwise the one-step policy that it builds on, or entropy.
 */
function ruleOf(policy) {
  const own = Object.hasOwn(COSTS, policy.name);
  const base = policy.base ?? USUAL_BASE[policy.name];
  const known = typeof base === "string" && Object.hasOwn(COSTS, base);
  const name = own ? policy.name : known ? base : "entropy";
  return {
    name,
    substitute: !own,
    cost: COSTS[name],
    additive: name !== "minimax",
    credit: name === "entropy-corrected" ? 2n << BigInt(LOG_BITS) : 0n,
    consistentOnly: policy.consistent_only === true,
    hardMode: policy.hard_mode === true,
  };
}

/** The score of cells of these sizes, to be maximised, without credit. */
function scoreOf(rule, sizes, costs) {
  let score = 0n;
  for (const size of sizes) {
    costs[size] ??= rule.cost(size);
    if (rule.additive) {
      score += costs[size];
    } else if (costs[size] > score) {
      score = costs[size];
    }
  }
  return -score;
}
