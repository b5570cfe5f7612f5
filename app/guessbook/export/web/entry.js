// The entry: the guess and the feedback that the user is typing.

/** A row of symbols with a cursor. Words are typed and erased at the end. */
class Entry {
  constructor(game) {
    this.game = game;
    this.strict = false; // whether guesses must be in the list
    this.clear();
  }

  clear() {
    this.cells = new Array(this.game.length).fill(null);
    this.marks = new Array(this.game.length).fill(0);
    this.pegs = [null, null]; // black and white
    this.answer = null; // in a table game
    this.cursor = 0;
    this.fresh = false;
    this.unmarked = false; // whether letters were typed, and none was marked since
  }

  /** Fill in a code. In a word game, the first letter that the user types replaces the code. */
  prefill(code) {
    this.clear();
    this.cells = this.game.digits(code);
    this.cursor = this.game.words ? this.game.length : 0;
    this.fresh = true;
  }

  /** Fill in an earlier guess with its feedback. */
  restore(code, feedback) {
    this.prefill(code);
    if (this.game.labels) {
      this.answer = feedback;
    } else if (this.game.words) {
      this.marks = this.game.marks(feedback);
    } else {
      this.pegs = this.game.pair(feedback);
    }
  }

  /** Put a symbol at the cursor. A letter typed over a whole word begins a new one. */
  type(digit) {
    if (this.game.words && (this.fresh || this.cursor === this.game.length)) {
      this.clear();
    }
    this.fresh = false;
    this.unmarked = true;
    this.cells[this.cursor] = digit;
    this.cursor = Math.min(this.cursor + 1, this.game.length - (this.game.words ? 0 : 1));
  }

  /** Remove the symbol at the cursor. If there is none, remove the symbol before the cursor. */
  erase() {
    this.fresh = false;
    if (this.cursor > 0 && (this.cells[this.cursor] ?? null) === null) {
      this.cursor -= 1;
    }
    this.cells[this.cursor] = null;
    this.marks.fill(0);
  }

  mark(place, mark) {
    this.unmarked = false;
    this.marks[place] = mark;
  }

  /** Choose a number of pegs: black first, then white; a third number is black again. */
  count(number) {
    const [black, white] = this.pegs;
    this.pegs = black === null || white !== null ? [number, null] : [black, number];
  }

  /** The entry as text for screen readers. */
  get spoken() {
    return this.cells.map((d) => (d === null ? "empty" : symbolName(this.game, d))).join(", ");
  }

  get empty() {
    return this.cells.every((cell) => cell === null);
  }

  get complete() {
    return !this.cells.includes(null);
  }

  /** The index of the guess, or -1. */
  get guess() {
    if (!this.complete) {
      return -1;
    }
    return this.strict ? this.game.index(this.cells) : this.game.made(this.cells);
  }

  /** The fault of the guess; empty if it has none. */
  get fault() {
    const noun = this.game.words ? "letter" : this.game.painted ? "peg" : "symbol";
    if (!this.complete && this.game.labels) {
      return `Choose a ${nounsOf(this.game).guess}.`;
    }
    if (!this.complete) {
      return `The guess needs ${counted(this.game.length, noun)}.`;
    }
    if (this.guess < 0) {
      return this.game.words
        ? "This word is not one that the game accepts."
        : "No symbol may occur twice in a code of this game.";
    }
    return "";
  }

  /** The number of the feedback; null if the feedback is incomplete or impossible. */
  get feedback() {
    if (this.game.labels) {
      return this.answer;
    }
    const numbers = this.game.words ? this.marks : this.pegs;
    if (numbers.includes(null) || !this.game.gives(...numbers)) {
      return null;
    }
    return this.game.feedback(...numbers);
  }

  get feedbackFault() {
    if (this.game.labels) {
      return "Choose what was answered.";
    }
    if (this.game.words) {
      return "One letter cannot be present elsewhere when all others are in place.";
    }
    const [black, white] = names(this.game);
    return this.pegs.includes(null)
      ? `Choose how many ${black} and ${white} the guess got.`
      : `${this.pegs[0]} ${black} and ${this.pegs[1]} ${white} is a feedback that this game never gives.`;
  }
}

/** The names of the two numbers of a feedback. */
function names(game) {
  return game.repeats ? ["black", "white"] : ["bulls", "cows"];
}

/** Return a feedback in words, for screen readers. */
function spoken(game, feedback) {
  if (feedback === game.solved) {
    return "solved";
  }
  if (game.labels) {
    return answerText(game, feedback);
  }
  if (game.words) {
    return game.marks(feedback).map((mark) => MARKS[mark]).join(", ");
  }
  const [black, white] = game.pair(feedback);
  return `${black} ${names(game)[0]}, ${white} ${names(game)[1]}`;
}

/** Return an answer of a table as people read it. */
function answerText(game, feedback) {
  return feedback === NOT_KNOWN ? "don't know" : game.formatFeedback(feedback);
}

const MARKS = ["absent", "present elsewhere", "in place"];
