// The section "Why this guess": the best guesses, computed only while the section is open.

class Why {
  constructor(session) {
    this.session = session;
    this.drawn = null; // the choice whose reasons are drawn, or being computed
    at("why").addEventListener("toggle", () => this.draw());
  }

  draw() {
    const { choice, asked, over, work } = this.session;
    at("why").hidden = !choice || !asked || over;
    if (at("why").hidden || !at("why").open || this.drawn === choice) {
      return;
    }
    this.drawn = choice;
    this.tell("Computing...");
    this.session.reasons = this.session.finish(this.compare(choice, work.signal));
  }

  async compare(choice, signal) {
    const { book, found } = this.session;
    const best = await bestGuesses(book, found, choice.guess, signal);
    if (this.drawn !== choice) {
      return;
    }
    if (!best) {
      this.tell(book.lacksEngine ? NO_ENGINE : TOO_MUCH);
      return;
    }
    const alone = book.game.symmetric ? " Of mirror images, only one is listed." : "";
    const weighed = book.game.weights ? ", by weight" : "";
    const { name } = ruleOf(book.policy);
    if (book.game.outcomes) {
      this.tell(
        "The best tests by entropy for their cost: the bits that the answer is expected to give about " +
          "the outcome, how many answers there may be, and how many things the most common one leaves.",
        best.map((row) => this.row(row, choice.guess)),
      );
      return;
    }
    this.tell(
      `The best guesses by ${name}: how often the answer is expected to halve what is possible, how many ` +
        `answers there may be, and how many secrets the worst of them leaves${weighed}.${alone}`,
      best.map((row) => this.row(row, choice.guess)),
    );
  }

  tell(text, rows = []) {
    at("why-text").textContent = text;
    at("best").hidden = !rows.length;
    at("best-rows").replaceChildren(...rows);
  }

  row(found, suggested) {
    const { guess, candidate, sizes } = found;
    const { game } = this.session;
    const drawn = game.words || game.labels ? game.format(guess) : codeRow(game, guess);
    const named = game.words || game.labels ? [] : [unseen(game.format(guess))];
    const head = make("th", "", ...named, drawn);
    head.scope = "row";
    const numbers = [bitsOf(found).toFixed(2), formatted(sizes.length), formatted(Math.max(...sizes))];
    const last = game.outcomes ? game.price(game.costs[guess]) : candidate ? "yes" : "no";
    const cells = [...numbers, last].map((text) => make("td", "", text));
    const row = make("tr", "", head, ...cells);
    if (guess === suggested) {
      row.className = "suggested";
      head.append(make("span", "help", "suggested"));
    }
    return row;
  }
}
