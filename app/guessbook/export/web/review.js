// The end of a game: the text to share, and the review, which judges each guess as `guessbook review` does.

/** Return the text that players share: the game and the number of guesses, then a line for each feedback. */
function shareText({ game, share: [name, limit] }, rows) {
  const solved = rows.at(-1)?.feedback === game.solved;
  let made = counted(rows.length, "guess", "guesses") + (solved ? "" : ", not solved");
  if (limit && rows.length <= limit && (solved || rows.length === limit)) {
    made = `${solved ? rows.length : "X"}/${limit}`;
  }
  return [`${name} ${made}`, "", ...rows.map((row) => shareLine(game, row.feedback))].join("\n");
}

function shareLine(game, feedback) {
  if (game.labels) {
    return game.formatFeedback(feedback);
  }
  if (game.words) {
    return game.marks(feedback).map((mark) => ["⬛", "🟨", "🟩"][mark]).join("");
  }
  const [black, white] = game.pair(feedback);
  return "●".repeat(black) + "○".repeat(white) + "·".repeat(game.length - black - white);
}

/**
 * Return for each row the number of candidates before it, the best guess by `entropy`, and skill and luck in
 * percent (docs/reference/ratings.md). The result is null if this page cannot compute it.
 */
async function reviewOf(book, rows, signal) {
  const { game } = book;
  const policy = { name: "entropy", hard_mode: ruleOf(book.policy).hardMode };
  const judge = { ...book, policy };
  const history = rows.map(({ guess, feedback }) => [guess, feedback]);
  const turns = [];
  for (const [k, [guess, feedback]] of history.entries()) {
    const survey = await surveyAmong(book, history.slice(0, k), guess, feedback);
    const own = survey && { ...survey, candidates: candidatesOf(book, survey) };
    const byBook = own?.state === "book" && book.policy.name === "entropy";
    const state = byBook ? "book" : "live";
    const best = own && (await suggest(judge, { ...own, state }, signal));
    const turn = best && (await judged(judge, { ...own, state: "live" }, guess, feedback, best.guess));
    if (!turn) {
      return null;
    }
    turns.push(turn);
  }
  return turns;
}

/** Return the survey after a history, among all guesses if no secret fits the answer to the next guess. */
async function surveyAmong(book, history, guess, feedback) {
  const { game } = book;
  const found = await survey(book, history);
  if (!["book", "live"].includes(found.state)) {
    return null;
  }
  const codes = candidatesOf(book, found);
  if (!beyond(game) || codes.some((code) => game.answer(guess, code) === feedback)) {
    return found;
  }
  const every = Array.from({ length: game.guessCount }, (_, k) => k);
  const candidates = every.filter((code) => fits(game, history, code));
  return { ...found, state: "live", candidates, remaining: candidates.length, amongGuesses: true };
}

/** Return the judgement of a guess and its feedback, in comparison with the best guess. */
async function judged(book, found, guess, feedback, best) {
  return searched(book, found, async (search) => {
    const cells = cellsOf(book.game, found, search.answers(guess));
    const top = cellsOf(book.game, found, search.answers(best));
    const value = (worth(book.game, guess, cells) / worth(book.game, best, top)) * 100;
    const luck = luckOf(cells, feedback, book.game.solved);
    return { guess, best, remaining: found.remaining, skill: Math.min(100, rounded(value)), luck };
  });
}

/** Return the nearest integer, with ties to even, like Python's `round`. */
function rounded(number) {
  const nearest = Math.round(number);
  return nearest - number === 0.5 && nearest % 2 ? nearest - 1 : nearest;
}

/** Return the value of a guess: its expected information plus its probability of being the secret. */
function worth(game, guess, cells) {
  const sizes = [...cells.values()];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return entropy(sizes) + (cells.get(game.solved) ?? 0) / total;
}

/** Return the luck of a feedback, in percent: the chance of less information, plus half that of equal information. */
function luckOf(cells, feedback, solved) {
  const told = (answer) => (answer === solved ? 0 : -cells.get(answer)); // greater for more information
  let [less, same, total] = [0, 0, 0];
  for (const [answer, size] of cells) {
    less += told(answer) < told(feedback) ? size : 0;
    same += told(answer) === told(feedback) ? size : 0;
    total += size;
  }
  return Math.floor((100 * less + 50 * same) / total + 0.5);
}

/** The section at the end of a game, computed while it is open. */
class Review {
  constructor(session) {
    this.session = session;
    this.drawn = null; // the survey whose review is drawn, or being computed
    at("review").addEventListener("toggle", () => this.draw());
    at("copy").addEventListener("click", () => this.copy());
  }

  draw() {
    const { book, found, rows, work, lost, over } = this.session;
    at("review").hidden = !found || !over || !(found.state === "solved" || lost);
    if (at("review").hidden || !at("review").open || this.drawn === found) {
      return;
    }
    this.drawn = found;
    at("share").textContent = shareText(book, rows);
    at("turns").hidden = true;
    at("review-text").textContent = "Computing...";
    this.session.reviewed = this.session.finish(this.compute(found, work.signal));
  }

  async compute(found, signal) {
    const { book, rows } = this.session;
    const turns = await reviewOf(book, rows, signal);
    if (this.drawn !== found) {
      return;
    }
    at("turns").hidden = !turns;
    at("turn-rows").replaceChildren(...(turns ?? []).map((turn) => this.row(turn)));
    const mean = (key) => rounded(turns.reduce((sum, turn) => sum + turn[key], 0) / turns.length);
    at("review-text").textContent = turns
      ? `Skill ${mean("skill")}, luck ${mean("luck")}, of 100. Skill compares a guess with the best one by ` +
        "entropy; luck compares its answer with the others, and is 50 on average."
      : book.lacksEngine ? NO_ENGINE : TOO_MUCH;
  }

  row({ guess, best, remaining, skill, luck }) {
    const { game } = this.session;
    const texts = [game.format(guess), formatted(remaining), skill, luck, game.format(best)];
    const [head, ...cells] = texts.map((text, k) => make(k ? "td" : "th", "", String(text)));
    head.scope = "row";
    return make("tr", "", head, ...cells);
  }

  /** Copy the text to share; where the browser does not allow it, select the text. */
  async copy() {
    try {
      await navigator.clipboard.writeText(at("share").textContent);
      this.session.said("Copied.");
    } catch {
      getSelection().selectAllChildren(at("share"));
    }
  }
}
