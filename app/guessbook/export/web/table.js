// Table games: guesses, secrets and answers are labels. A table has the answer for each pair.

const NAME = "name: ";

/** A code is the index of a guess. The code has one digit, this index. */
class TableGame {
  constructor(header) {
    this.words = false;
    this.labels = true;
    this.symmetric = false;
    this.length = 1;
    this.list = header.guesses.split("\n");
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

  /** Return the weight of a secret. */
  weight(index) {
    return this.weights ? this.weights.get(index) : 1;
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

  /** Return undefined, because labels cannot be typed with single keys. */
  rank() {
    return undefined;
  }

  formatFeedback(feedback) {
    return this.answerList[feedback];
  }

  parseFeedback(label) {
    return found(label, this.answerList);
  }

  table(secrets) {
    return { length: secrets.length, secrets, columns: secrets.map((s) => this.columns.get(s)) };
  }

  /** A guess that the game added has the last answer if it is the secret, else the last but one. */
  answers([guess], { length, secrets, columns }, out) {
    const start = guess * this.secretCount;
    for (let k = 0; k < length; k++) {
      if (guess < this.given) {
        out[k] = this.cells[start + columns[k]];
      } else {
        out[k] = this.solved - (secrets[k] === guess ? 0 : 1);
      }
    }
  }
}

/** Return the index of a label in a list, in any case if only one label fits; -1 if none fits. */
function found(text, list) {
  const label = text.normalize("NFC").trim().replace(/\s+/g, " ");
  const exact = list.indexOf(label);
  const alike = list.flatMap((other, k) => (other.toLowerCase() === label.toLowerCase() ? [k] : []));
  return exact < 0 && alike.length === 1 ? alike[0] : exact;
}
