// The rules of code games and word games, with codes and feedbacks as numbers (see FORMAT.md).

/** Return the game that the header of a book describes. */
function gameOf(header) {
  const kinds = {
    mastermind: CodeGame, words: WordGame, table: TableGame, identification: IdentificationGame,
  };
  return new kinds[header.type](header);
}

/** What people call a guess, a secret, a feedback and a candidate. */
const GUESSES = { guess: "guess", guesses: "guesses", secret: "secret", feedback: "feedback", candidate: "candidate" };
const TESTS = { guess: "test", guesses: "tests", secret: "thing", feedback: "answer", candidate: "possible thing" };

function nounsOf(game) {
  return game.outcomes ? TESTS : GUESSES;
}

/** Return a word with its first letter in upper case. */
function titled(word) {
  return word[0].toUpperCase() + word.slice(1);
}

/**
 * A code game: Mastermind, or without repeated symbols Bulls and Cows. A code is an index, or a list
 * of digits, the ranks of symbols. Every code may be the secret.
 */
class CodeGame {
  constructor(header) {
    this.words = false;
    this.symmetric = true;
    this.length = header.pegs;
    this.repeats = header.repeats;
    this.symbols = Array.from(header.symbols);
    this.names = header.names ?? [];
    this.drawn = header.drawn;
    this.painted = Object.keys(this.drawn).length > 0; // whether codes are pegs in colors
    this.solved = this.length * (this.length + 2);
    this.feedbacks = this.solved + 1;
    this.guessCount = 1;
    for (let p = 0; p < this.length; p++) {
      this.guessCount *= this.choices(p);
    }
    this.secretCount = this.guessCount;
  }

  choices(position) {
    return this.symbols.length - (this.repeats ? 0 : position);
  }

  /** The index of the code that is the n-th secret. */
  secret(n) {
    return n;
  }

  isSecret() {
    return true;
  }

  digits(index) {
    const digits = new Array(this.length);
    for (let p = this.length - 1; p >= 0; p--) {
      const choices = this.choices(p);
      digits[p] = index % choices;
      index = Math.floor(index / choices);
    }
    if (!this.repeats) {
      const unused = this.symbols.map((_, rank) => rank);
      return digits.map((rank) => unused.splice(rank, 1)[0]);
    }
    return digits;
  }

  /** Return the index of the code with these digits; -1 if the game has no such code. */
  index(digits) {
    const unused = this.symbols.map((_, rank) => rank);
    let index = 0;
    for (const [p, digit] of digits.entries()) {
      const rank = this.repeats ? digit : unused.indexOf(digit);
      if (digit === undefined || rank < 0) {
        return -1;
      }
      index = index * this.choices(p) + rank;
      if (!this.repeats) {
        unused.splice(rank, 1);
      }
    }
    return digits.length === this.length ? index : -1;
  }

  /** Return the index of a guess. In this game every guess is in the list. */
  made(digits) {
    return this.index(digits);
  }

  format(index) {
    return this.digits(index).map((digit) => this.symbols[digit]).join("");
  }

  parse(code) {
    return this.index(Array.from(code, (symbol) => this.rank(symbol)));
  }

  /** The rank of a symbol in upper or lower case; undefined if the game has no such symbol. */
  rank(symbol) {
    const forms = [symbol, symbol.toUpperCase(), symbol.toLowerCase()];
    const known = forms.find((form) => this.symbols.includes(form));
    return known === undefined ? undefined : this.symbols.indexOf(known);
  }

  feedback(black, white) {
    return (black + white) * (this.length + 1) + black;
  }

  pair(feedback) {
    const total = Math.floor(feedback / (this.length + 1));
    const black = feedback % (this.length + 1);
    return [black, total - black];
  }

  formatFeedback(feedback) {
    return this.pair(feedback).join(",");
  }

  /** Whether this game can give these numbers of black and white pegs. */
  gives(black, white) {
    const all = this.symbols.length === 1 ? this.length : 0;
    const least = this.repeats ? all : 2 * this.length - this.symbols.length;
    const total = black + white;
    // With one symbol, no white pegs are possible; with two symbols, their number is even.
    const step = { 1: this.length + 1, 2: 2 }[this.symbols.length] ?? 1;
    const never = white % step !== 0 || (black === this.length - 1 && white === 1);
    return total >= least && total <= this.length && !never;
  }

  /** Return the feedback of a secret to a guess. */
  answer(guess, secret) {
    const [made, held] = [this.digits(guess), this.digits(secret)];
    const black = made.filter((digit, p) => digit === held[p]).length;
    const total = made.filter((digit) => {
      const place = held.indexOf(digit);
      if (place >= 0) {
        held.splice(place, 1);
      }
      return place >= 0;
    }).length;
    return this.feedback(black, total - black);
  }
}

/** Wordle and similar games. A code is the index of a word. A digit is the rank of a letter. */
class WordGame {
  constructor(header) {
    this.words = true;
    this.length = header.length;
    this.loose = header.scoring === "loose";
    this.list = header.guesses.split("\n");
    this.secretIndices = header.secrets;
    this.secretSet = new Set(header.secrets);
    // The weight of each secret; undefined if secrets have no weights.
    this.weights = header.weights && new Map(header.secrets.map((s, k) => [s, header.weights[k]]));
    this.indices = new Map(this.list.map((word, index) => [word, index]));
    const letters = header.guesses.replaceAll("\n", "");
    const more = /[a-z]/.test(letters) ? "abcdefghijklmnopqrstuvwxyz" : "";
    this.symbols = [...new Set(letters + more)].sort();
    const ranks = new Map(this.symbols.map((symbol, rank) => [symbol, rank]));
    this.spelled = new Uint16Array(this.list.length * this.length);
    this.list.forEach((word, index) => {
      Array.from(word).forEach((letter, p) => {
        this.spelled[index * this.length + p] = ranks.get(letter);
      });
    });
    this.feedbacks = 3 ** this.length;
    this.solved = this.feedbacks - 1;
    this.guessCount = this.list.length;
    this.secretCount = this.secretIndices.length;
  }

  secret(n) {
    return this.secretIndices[n];
  }

  isSecret(index) {
    return this.secretSet.has(index);
  }

  /** Return the weight of a secret, if secrets have weights. */
  weight(index) {
    return this.weights.get(index);
  }

  digits(index) {
    return Array.from(this.spelled.subarray(index * this.length, (index + 1) * this.length));
  }

  index(digits) {
    return this.parse(digits.map((digit) => this.symbols[digit]).join(""));
  }

  /** Return the index of a guess. A guess that is not in the list is appended. */
  made(digits) {
    const word = digits.map((digit) => this.symbols[digit]).join("");
    if (!this.indices.has(word)) {
      this.indices.set(word, this.list.length);
      this.list.push(word);
      const { spelled } = this;
      this.spelled = new Uint16Array(spelled.length + this.length);
      this.spelled.set(spelled);
      this.spelled.set(digits, spelled.length);
    }
    return this.indices.get(word);
  }

  format(index) {
    return this.list[index];
  }

  /** Return the index of a word in the list; -1 if the list does not have the word. */
  parse(word) {
    const index = this.indices.get(word.normalize("NFC").toLowerCase()) ?? -1;
    return index < this.guessCount ? index : -1;
  }

  rank(symbol) {
    const rank = this.symbols.indexOf(symbol.normalize("NFC").toLowerCase());
    return rank < 0 ? undefined : rank;
  }

  /** Return the number of a feedback from its marks: 0 absent, 1 present elsewhere, 2 in place. */
  feedback(...marks) {
    return marks.reduce((number, mark) => number * 3 + mark, 0);
  }

  marks(feedback) {
    return Array.from(feedback.toString(3).padStart(this.length, "0"), Number);
  }

  formatFeedback(feedback) {
    return this.marks(feedback).join("");
  }

  /** Whether this game can give these marks. */
  gives(...marks) {
    const placed = marks.filter((mark) => mark === 2).length;
    return this.loose || !(placed === this.length - 1 && marks.includes(1));
  }

  /** Return the feedback of a secret to a guess. */
  answer(guess, secret) {
    const { length, loose, spelled } = this;
    const [own, held] = [guess * length, secret * length];
    let taken = 0; // places of the secret whose letter has given a mark, as bits
    for (let p = 0; p < length && !loose; p++) {
      taken |= (spelled[own + p] === spelled[held + p]) << p;
    }
    let number = 0;
    for (let p = 0; p < length; p++) {
      const letter = spelled[own + p];
      number *= 3;
      if (letter === spelled[held + p]) {
        number += 2;
        continue;
      }
      for (let q = 0; q < length; q++) {
        if (spelled[held + q] === letter && !((taken >> q) & 1)) {
          taken |= loose ? 0 : 1 << q;
          number += 1;
          break;
        }
      }
    }
    return number;
  }
}
