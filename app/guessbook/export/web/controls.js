// The controls and their actions. They are built only once, so that drawing keeps the focus.

const at = (id) => document.getElementById(id);

const MANY = 200; // largest number of labels for a list
const DIGIT = /^[0-9]$/;

/** Build the controls of the game, and connect them to the session. */
class Controls {
  constructor(session) {
    this.session = session;
    this.game = session.game;
    this.keys = new Map(); // the key of each symbol
    this.counts = !this.game.symbols.some((symbol) => DIGIT.test(symbol)); // whether digits choose numbers
    this.slots = this.game.labels
      ? [this.guessChoice()]
      : Array.from({ length: this.game.length }, (_, place) =>
          button("cell", "", () => this.tap(place)),
        );
    document.body.classList.toggle("words", this.game.words);
    document.body.classList.toggle("labels", Boolean(this.game.labels));
    at("slots").style.setProperty("--length", this.game.length);
    const [first] = this.slots;
    at("slots").append(
      ...(this.game.labels
        ? [field(titled(nounsOf(this.game).guess), first), first.offered ?? ""]
        : this.slots),
    );
    this.buildKeys();
    this.buildFeedback();
    this.listen();
  }

  /** Return the control for a guess in a table game: a list, or for many guesses a text field. */
  guessChoice() {
    const labels = this.game.list.map((_, index) => this.game.called(index));
    const choose = (digit) => this.choose(digit);
    return labels.length > MANY
      ? labelField(labels, (text) => this.game.parse(text), choose)
      : labelChoice(labels, choose);
  }

  /** Make `digit`, a guess from the list, the guess of the entry. */
  choose(digit) {
    this.session.edit((entry) => {
      entry.cells[0] = digit;
    });
  }

  buildKeys() {
    if (this.game.labels) {
      at("keys").hidden = true;
      return;
    }
    const erase = button("key wide", "⌫", () => this.session.edit((entry) => entry.erase()));
    erase.setAttribute("aria-label", "Erase");
    const rows = keyRows(this.game).map((row) =>
      make("div", "keyrow", ...row.map((digit) => this.key(digit))),
    );
    rows.at(-1).append(erase);
    at("keys").append(...rows);
    if (this.game.names?.length) {
      const named = this.game.symbols.map((_, digit) => symbolName(this.game, digit));
      at("keys").append(make("p", "names", named.join(", ")));
    }
    at("keys").classList.toggle("typewriter", rows.length > 1);
    at("keys").style.setProperty("--keys", this.game.symbols.length + 1);
  }

  key(digit) {
    const act = () => this.session.edit((entry) => entry.type(digit));
    const key = button("key", "", act);
    if (this.game.words) {
      key.textContent = shownSymbol(this.game, digit);
    } else {
      show(key, this.game, digit);
    }
    key.setAttribute("aria-label", symbolName(this.game, digit));
    this.keys.set(digit, key);
    return key;
  }

  buildFeedback() {
    if (this.game.labels) {
      const choose = (number) =>
        this.session.edit((entry) => {
          entry.answer = number;
        }, false);
      const submit = (number) => {
        this.answered = true; // the focus goes to the answers of the next test
        choose(number);
        this.session.submit();
      };
      const { answerList, outcomes } = this.game;
      this.answers = outcomes ? answerButtons(answerList, submit) : labelChoice(answerList, choose);
      at("feedback").append(outcomes ? this.answers : field("Answer", this.answers));
      return;
    }
    if (this.game.words) {
      const text = make("span", "", "Tap a letter to change its mark:");
      at("feedback").append(make("p", "help", text, ...marksLegend()));
      at("slots").after(at("feedback")); // the text refers to the letters above it
      return;
    }
    const choose = (kind, n) =>
      this.session.edit((entry) => {
        entry.pegs[kind] = n;
      }, false);
    at("feedback").append(numberChoice(this.game, 0, choose), numberChoice(this.game, 1, choose));
  }

  /** Offer the answers that a guess of a table may get. */
  offer(guess) {
    if (this.offered === guess) {
      return;
    }
    this.offered = guess;
    this.answers.offer(guess < 0 ? [] : this.game.answersTo(guess));
    if (this.answered && guess >= 0) {
      this.answered = false;
      this.answers.firstElementChild.focus();
    }
  }

  listen() {
    const { session } = this;
    for (const input of document.querySelectorAll("#modes input")) {
      input.addEventListener("change", () => {
        session.settled = session.turn(input.value);
      });
    }
    at("submit").addEventListener("click", () => session.submit());
    at("ask").addEventListener("click", () => session.ask());
    at("refuse").addEventListener("click", () => session.refuse());
    at("allow").addEventListener("click", () => session.allow());
    at("show").addEventListener("click", () => session.show());
    at("undo").addEventListener("click", () => session.undo());
    at("reveal").addEventListener("click", () => session.reveal());
    at("new").addEventListener("click", () => {
      session.settled = session.restart();
      this.slots[0].focus();
    });
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** A tap on a letter changes its mark; a tap on a peg moves the cursor there. */
  tap(place) {
    const { marking } = this.session;
    this.session.edit((entry) => {
      if (marking) {
        entry.mark(place, (entry.marks[place] + 1) % 3);
      } else if (!this.game.words) {
        entry.cursor = place;
      }
    }, false);
  }

  /** Handle symbols, Backspace and Enter at any focus, unless the focused control uses the key. */
  press(event) {
    const held = event.ctrlKey || event.metaKey || event.altKey;
    if (this.game.labels || held || at("entry").hidden) {
      return;
    }
    if (this.steer(event.target, event.key) || this.write(event.target, event.key)) {
      event.preventDefault();
    }
  }

  /** Handle keys whose effect depends on the focus. */
  steer(target, key) {
    const place = this.slots.indexOf(target);
    const counts = target.closest("fieldset.counts");
    const pressed = place < 0 && target.closest("button, summary"); // Enter activates this control
    if (key === "Enter" && !pressed) {
      this.enter();
    } else if (counts && DIGIT.test(key) && Number(key) <= this.game.length) {
      counts.querySelectorAll("input")[Number(key)].click();
    } else if (place >= 0 && /^Arrow(Left|Right)$/.test(key)) {
      this.focus(place + (key === "ArrowLeft" ? -1 : 1));
    } else if (this.session.marking && /^[012]$/.test(key)) {
      const marked = Math.max(0, place);
      this.session.edit((entry) => entry.mark(marked, Number(key)), false);
      this.focus(marked + 1);
    } else {
      return false;
    }
    return true;
  }

  /** Make the guess. The first Enter after a typed word goes to its letters, whose marks are still missing. */
  enter() {
    const { session } = this;
    if (session.marking && session.entry.unmarked) {
      session.entry.unmarked = false;
      session.object("Mark the letters: 0 absent, 1 present elsewhere, 2 in place; then press Enter.");
      this.slots[0].focus();
      return;
    }
    session.submit();
    if (!session.fault) {
      this.slots[0].focus(); // for the next guess
    }
  }

  /** Handle keys that change the entry. */
  write(target, key) {
    const { game, session } = this;
    const digit = Array.from(key).length === 1 ? game.rank(key) : undefined; // a blank is never a symbol
    if (key === "Backspace") {
      session.edit((entry) => entry.erase());
    } else if (digit !== undefined) {
      session.edit((entry) => entry.type(digit));
      if (this.slots.includes(target) && game.words) {
        this.slots[0].focus(); // for the marks
      }
    } else if (game.words || !/^[\p{L}\p{N}]$/u.test(key)) {
      return false;
    } else if (this.counts && !session.playing && DIGIT.test(key) && Number(key) <= game.length) {
      session.edit((entry) => entry.count(Number(key)), false);
    } else {
      // Without this, the name of a colour would silently set other pegs.
      const symbols = game.symbols.map((_, rank) => symbolName(game, rank));
      session.object(`"${key}" is not one of the symbols: ${someOf(symbols)}.`);
    }
    return true;
  }

  /** Move the focus and the cursor to a place of the entry. */
  focus(place) {
    const within = Math.max(0, Math.min(this.game.length - 1, place));
    this.slots[within].focus();
    if (!this.game.words) {
      this.session.edit((entry) => {
        entry.cursor = within;
      }, false);
    }
  }
}
