// Policies that score partitions with exact integers, so that no tie is decided by rounding.

const LOG_BITS = 36;

/** The logarithms of the primes that have come up. */
const primeLogs = new Map();

/**
 * L(n): for a prime p, log2(p) * 2^36 rounded; for n = a*b, L(n) = L(a) + L(b). Numbers of any length
 * (BigInt): a score may exceed 2^53.
 */
function integerLog(n) {
  let log = 0n;
  for (let p = 2; n > 1; p++) {
    const prime = p * p > n ? n : p;
    for (; n % prime === 0; n /= prime) {
      if (!primeLogs.has(prime)) {
        primeLogs.set(prime, logOfPrime(prime));
      }
      log += primeLogs.get(prime);
    }
  }
  return log;
}

/** L(0) to L(size), the first of them 0. */
function integerLogs(size) {
  return Array.from({ length: size + 1 }, (_, n) => integerLog(n));
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

/** The cost of a cell of candidates with the weight n; lower is better. */
const COSTS = {
  entropy: (n) => BigInt(n) * integerLog(n),
  expected: (n) => BigInt(n) * BigInt(n),
  parts: () => -1n,
  minimax: (n) => BigInt(n),
  "entropy-corrected": (n) => BigInt(n) * integerLog(n),
};

/** The default base of policies that this page cannot compute, if the header names none. */
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

/** The score of cells of these sizes or weights, to be maximised, without credit. */
function scoreOf(rule, sizes, costs) {
  let score = 0n;
  for (const size of sizes) {
    if (!costs.has(size)) {
      costs.set(size, rule.cost(size));
    }
    const cost = costs.get(size);
    if (rule.additive) {
      score += cost;
    } else if (cost > score) {
      score = cost;
    }
  }
  return -score;
}
