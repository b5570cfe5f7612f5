// Policies that score partitions with exact integers. So rounding never decides between guesses.

const LOG_BITS = 36;

/** The cache of `logOfPrime`, by prime. */
const primeLogs = new Map();

/**
 * Return L(n), an integer near log2(n) * 2^36. For a prime p, L(p) is log2(p) * 2^36, rounded; for
 * n = a*b, L(n) = L(a) + L(b). The result is a BigInt, because a score may exceed 2^53.
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

/** Return L(0), L(1), ..., L(size) of `integerLog`, with L(0) = 0. */
function integerLogs(size) {
  return Array.from({ length: size + 1 }, (_, n) => integerLog(n));
}

/**
 * Return log2(p) * 2^36, rounded. Each squaring gives one bit. Math.log2 is not used, because its
 * results may differ between browsers.
 */
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

/** For each policy, the cost of a cell of n candidates (or of weight n); lower is better. */
const COSTS = {
  entropy: (n) => BigInt(n) * integerLog(n),
  expected: (n) => BigInt(n) * BigInt(n),
  parts: () => -1n,
  minimax: (n) => BigInt(n),
  "entropy-corrected": (n) => BigInt(n) * integerLog(n),
};

/** The default of the option `base`, for policies that this page cannot compute. */
const USUAL_BASE = { lookahead: "entropy-corrected" };

/**
 * Return the rule that this page uses off-book: the policy of the book if `COSTS` has this policy,
 * else the base of the policy if `COSTS` has this base, else entropy.
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

/** Return the score of cells with these sizes or weights, without credit; higher is better. */
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
