// Table games: guesses, secrets and answers are labels. A table has the answer for each pair.

const NAME = "name: ";

/** A code is the index of a guess. The code has one digit, this index. */
class TableGame {
  constructor(header) {
    this.words = false;
    this.labels = true;
    this.symmetric = false;
    this.length = 1;
    this.list = header.guesses ? header.guesses.split("\n") : [];
    this.symbols = this.list;
    this.answerList = header.answers.split("\n");
    this.secretIndices = header.secrets;
    this.columns = new Map(header.secrets.map((guess, column) => [guess, column]));
    this.weights = header.weights && new Map(header.secrets.map((s, k) => [s, header.weights[k]]));
    this.given = header.given;
    this.guessCount = this.list.length;
    this.secretCount = this.secretIndices.length;
    this.feedbacks = this.answerList.length;
    this.solved = this.feedbacks - 1;
    const planes = Uint8Array.from(atob(header.table), (byte) => byte.charCodeAt(0));
    this.cells = new Uint16Array(this.given * this.secretCount);
    planes.forEach((byte, k) => {
      this.cells[k % this.cells.length] |= byte << (8 * Math.floor(k / this.cells.length));
    });
  }

  /** Return the weight of a secret, if secrets have weights. */
  weight(index) {
    return this.weights.get(index);
  }

  secret(n) {
    return this.secretIndices[n];
  }

  isSecret(index) {
    return this.columns.has(index);
  }

  digits(index) {
    return [index];
  }

  index([digit]) {
    return digit;
  }

  made(digits) {
    return this.index(digits);
  }

  format(index) {
    return this.list[index];
  }

  /** Return the text of a guess for people. A guess that the game added is shown as "name: SECRET". */
  called(index) {
    return (index < this.given ? "" : NAME) + this.list[index];
  }

  /** Return the index of a label, or of a result of `called`; -1 for another text. */
  parse(label) {
    const index = found(label, this.list);
    return index < 0 && label.startsWith(NAME) ? found(label.slice(NAME.length), this.list) : index;
  }

  /** Return undefined: labels cannot be typed with single keys. */
  rank() {
    return undefined;
  }

  formatFeedback(feedback) {
    return this.answerList[feedback];
  }

  /** Return the number of an answer from its label; null if there is no such answer. */
  parseFeedback(label) {
    const number = found(label, this.answerList);
    return number < 0 ? null : number;
  }

  /** Return the answers that a guess may get, in ascending order. */
  answersTo(guess) {
    if (guess >= this.given) {
      return [this.solved - 1, this.solved];
    }
    const row = this.cells.subarray(guess * this.secretCount, (guess + 1) * this.secretCount);
    return [...new Set(row)].sort((a, b) => a - b);
  }

  /**
   * Return the feedback of a secret to a guess. A guess that the game added has the last answer if it is
   * the secret, else the last but one.
   */
  answer(guess, secret) {
    if (guess < this.given) {
      return this.cells[guess * this.secretCount + this.columns.get(secret)];
    }
    return this.solved - (secret === guess ? 0 : 1);
  }

  /** Return the feedback of each secret to each given guess, guess by guess. */
  rows(secrets) {
    const columns = Array.from(secrets, (secret) => this.columns.get(secret));
    const rows = new Uint16Array(this.given * columns.length);
    for (let guess = 0; guess < this.given; guess++) {
      columns.forEach((column, k) => {
        rows[guess * columns.length + k] = this.cells[guess * this.secretCount + column];
      });
    }
    return rows;
  }
}

/** Return the index of a label in a list, in any case if only one label fits; else -1. */
function found(text, list) {
  const label = text.normalize("NFC").trim().replace(/\s+/g, " ");
  const exact = list.indexOf(label);
  const alike = list.flatMap((other, k) => (other.toLowerCase() === label.toLowerCase() ? [k] : []));
  return exact < 0 && alike.length === 1 ? alike[0] : exact;
}
