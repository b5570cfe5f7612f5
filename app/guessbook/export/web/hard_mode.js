// The rule of Wordle's hard mode: a guess keeps the letters in place, and uses all shown letters.

/** Return for each entry the letters in place, and the count of each shown letter. */
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
