// The screen: draws a session.

const LISTED = 30; // largest number of listed candidates

/** Draw the changes; the controls are built only once. */
class Screen {
  constructor(session, controls) {
    this.session = session;
    this.game = session.game;
    this.controls = controls;
    this.listed = null; // the survey whose candidates are drawn
    this.why = new Why(session);
    this.review = new Review(session);
    at("list").addEventListener("toggle", () => this.drawList());
    at("about").textContent = about(session.book);
    if (this.game.outcomes) {
      speakOfTests();
    }
  }

  draw() {
    this.drawRows();
    this.drawMessage();
    this.drawEntry();
    this.drawKeys();
    this.drawActions();
    this.drawKnown();
    this.drawList();
    this.why.draw();
    this.review.draw();
  }

  drawRows() {
    const { rows, counting, quiet } = this.session;
    const suspects = this.suspects();
    const items = counting.map((row) => {
      const place = rows.indexOf(row);
      const item = rowItem(this.game, row, place + 1, quiet);
      item.classList.toggle("suspect", suspects.includes(place));
      return item;
    });
    at("rows").replaceChildren(...items);
    at("rows").hidden = items.length === 0;
  }

  /** Return the indices of the rows to re-check. */
  suspects() {
    const { rows, found } = this.session;
    const same = ([guess, feedback]) => (row) => row.guess === guess && row.feedback === feedback;
    const places = (found?.suspects ?? []).flatMap((pair) =>
      rows.flatMap((row, place) => (same(pair)(row) ? [place] : [])),
    );
    return places.sort((a, b) => a - b);
  }

  drawMessage() {
    const { session, game } = this;
    const { found, rows, over, stuck } = session;
    let parts = [];
    if (session.fault) {
      parts = [session.fault];
    } else if (session.revealed || session.lost) {
      const secret = session.lost ? "No guesses are left. The secret is " : "The secret is ";
      parts = [secret, unseen(game.format(session.secret)), codeRow(game, session.secret)];
    } else if (over && game.outcomes) {
      parts = outcomeText(session);
    } else if (over) {
      parts = [`Solved in ${counted(rows.length, "guess", "guesses")}. `, parText(session)];
    } else if (stuck) {
      parts = this.contradiction();
    } else if (session.note || found?.amongGuesses) {
      const fits = found?.amongGuesses ? amongGuessesText(found.remaining, session.quiet) : "";
      parts = [session.note, session.note && fits ? " " : "", fits].filter(Boolean);
    }
    const good = over && !session.lost && !unsure(session);
    at("message").className = parts.length ? (good ? "good" : "bad") : "";
    const text = parts.map((part) => part.textContent ?? part).join("");
    if (at("message").textContent !== text) {
      at("message").replaceChildren(...parts); // only after a change: screen readers read it aloud
    }
  }

  contradiction() {
    const { rows } = this.session;
    const { secret, guess, feedback } = nounsOf(this.game);
    const entry = this.game.outcomes ? feedback : guess;
    const places = this.suspects();
    const fits = rows.length === 1 ? `this ${feedback}` : `these ${rows.length} ${feedback}s`;
    const unlisted = this.game.words ? "the word may be one that this list does not have, or " : "";
    const none = `No ${secret} fits ${fits}`;
    if (this.session.found.refused) {
      return [`${none} but what was left out.`];
    }
    if (!places.length) {
      return [`${none}; ${unlisted}more than one of them must be wrong.`];
    }
    const named = places.map((place) => `${entry} ${place + 1}`).join(" or ");
    const rest = rows.length === 1 ? "" : ": without it, the rest fits";
    const buttons = places.map((place) =>
      button("", `Change ${entry} ${place + 1}`, () => {
        this.session.recall(place);
        this.controls.slots[0].focus();
      }),
    );
    const advice = unlisted ? `; ${unlisted}re-check` : ". Re-check";
    return [`${none}${advice} ${named}${rest}. `, make("span", "fixes", ...buttons)];
  }

  drawEntry() {
    const { session, game } = this;
    const { entry, choice } = session;
    at("entry").hidden = session.over || session.stuck;
    if (session.over) {
      return;
    }
    const own = choice && entry.complete && entry.guess !== choice.guess;
    const kind = choice && entry.guess === choice.guess ? ", suggested" : own ? ", your own" : "";
    const limit = session.limit ? ` of ${session.limit}` : "";
    const number = `${titled(nounsOf(game).guess)} ${session.place + 1}${limit}`;
    at("entry-name").textContent = number + (session.correcting ? ", to correct" : kind);
    if (game.labels) {
      this.controls.slots[0].show(entry.cells[0]);
      this.controls.offer(entry.guess);
      this.controls.answers.show(entry.answer);
      at("feedback").hidden = session.playing;
      return;
    }
    this.controls.slots.forEach((slot, place) => {
      const digit = entry.cells[place];
      show(slot, game, digit);
      slot.classList.toggle("cursor", !game.words && place === entry.cursor);
      const name = digit === null ? "empty" : symbolName(game, digit);
      const mark = session.marking ? `, ${MARKS[entry.marks[place]]}` : "";
      slot.setAttribute("aria-label", `Position ${place + 1}: ${name}${mark}`);
      if (session.marking) {
        slot.dataset.mark = entry.marks[place];
      } else {
        delete slot.dataset.mark;
      }
      if (!game.words) {
        slot.setAttribute("aria-current", String(place === entry.cursor));
      }
    });
    at("feedback").hidden = session.playing;
    for (const input of document.querySelectorAll(".counts input")) {
      const kindOf = input.name === "count-0" ? 0 : 1;
      input.checked = entry.pegs[kindOf] === Number(input.value);
    }
  }

  /** For words, show on each key the best mark that the letter has had. */
  drawKeys() {
    if (!this.game.words) {
      return;
    }
    const best = new Map();
    for (const { guess, feedback } of this.session.counting) {
      const marks = this.game.marks(feedback);
      this.game.digits(guess).forEach((digit, p) => {
        best.set(digit, Math.max(best.get(digit) ?? 0, marks[p]));
      });
    }
    for (const [digit, key] of this.controls.keys) {
      const mark = best.get(digit);
      const name = symbolName(this.game, digit);
      key.setAttribute("aria-label", mark === undefined ? name : `${name}, ${MARKS[mark]}`);
      if (mark === undefined) {
        delete key.dataset.mark;
      } else {
        key.dataset.mark = mark;
      }
    }
  }

  drawActions() {
    const { session } = this;
    const { over, stuck, playing, choice, entry, game } = session;
    at("task").textContent = taskText(session);
    at("submit").textContent = playing ? "Guess" : "Add feedback";
    at("submit").hidden = over || stuck || Boolean(game.outcomes);
    at("ask").textContent = choice ? "Use the suggestion" : "Show a hint";
    const usable = choice ? entry.guess !== choice.guess : playing && choice !== null;
    at("ask").hidden = over || stuck || !usable || session.quiet;
    const other = session.found?.remaining > 1; // another guess can be suggested
    const suggested = entry.guess === choice?.guess && other;
    at("refuse").hidden = over || stuck || playing || !game.words || !suggested;
    at("undo").hidden = playing && over;
    at("undo").disabled = session.rows.length === 0;
    at("reveal").hidden = !playing || over;
    at("show").hidden = !session.quiet;
    const words = [...session.refused].map((guess) => game.format(guess).toUpperCase());
    at("refused").hidden = words.length === 0;
    at("refused-words").textContent = `Left out: ${someOf(words)}.`;
    at("new").classList.toggle("primary", Boolean(over));
    if (over && this.controls.answered) {
      this.controls.answered = false;
      at("new").focus();
    }
    const active = document.activeElement;
    const lost = active && active !== document.body && (active.disabled || !active.offsetParent);
    if (lost && active.closest("main")) {
      (over ? at("new") : stuck ? at("undo") : this.controls.slots[0]).focus();
    }
  }

  drawKnown() {
    const { found, choice, game, asked, over, correcting, book, quiet } = this.session;
    at("known").hidden = quiet;
    document.body.classList.toggle("quiet", quiet);
    const remaining = found?.remaining ?? null;
    at("remaining").textContent = remaining === null ? "–" : formatted(remaining);
    at("missing").textContent = remaining ? missing(book, found) : "–";
    at("expected").textContent = choice && asked ? bitsOf(choice).toFixed(2) : "–";
    const suggested = choice && asked && !over;
    at("suggestion").replaceChildren(
      ...(suggested ? [make("span", "", game.outcomes ? "Next test" : "Suggested guess"), unseen(readable(game, choice.guess)), codeRow(game, choice.guess)] : []),
    );
    at("source").textContent = found && !over && !correcting ? sourceText(this.session) : "";
    at("progress").hidden = !this.working;
  }

  get working() {
    const { found, choice, asked, over } = this.session;
    return !found || (asked && choice === undefined && !over && found.state === "live");
  }

  /** Draw the first candidates, only while the list is open. */
  drawList() {
    const { found, book } = this.session;
    const hidden = !found || !found.remaining;
    at("list").hidden = hidden;
    if (hidden || !at("list").open || this.listed === found) {
      return;
    }
    this.listed = found;
    const codes = candidatesOf(book, found); // an array of integers, if the engine found them
    const candidates = this.game.named?.(codes) ?? codes;
    const items = Array.from(candidates.slice(0, LISTED), (code) => listItem(this.game, code));
    at("candidates").replaceChildren(...items);
    const more = candidates.length - items.length;
    at("more").textContent = more > 0 ? `and ${formatted(more)} more` : "";
  }

  progress(done) {
    at("progress").hidden = false;
    at("progress").value = done;
  }
}

const TOO_MUCH = "That is too much to compute here; after another guess it will be less.";
const NO_ENGINE =
  "This browser cannot compute guesses, because it does not run WebAssembly; hints from the book work.";

/** Return the missing information: the bits of the secret, or the number of possible outcomes. */
function missing(book, found) {
  const { game } = book;
  if (game.outcomes) {
    return formatted(game.shares(found.candidates).size);
  }
  return (weighed(game, found) ? odds(book, found).missing : Math.log2(found.remaining)).toFixed(2);
}

const NAMED = 8; // largest number of labels that a text names

/** Return labels as a text. */
function someOf(labels) {
  const more = labels.length > NAMED ? ` and ${formatted(labels.length - NAMED)} more` : "";
  return labels.slice(0, NAMED).join(", ") + more;
}

/** Whether no test is left, but several outcomes. */
function unsure({ game, found }) {
  return found?.state === "outcome" && game.shares(found.candidates).size > 1;
}

/** Return the outcome, or the outcomes that no test tells apart; the things; and tests that would tell more. */
function outcomeText(session) {
  const { game, found } = session;
  const things = game.named(found.candidates);
  const several = unsure(session);
  const parts = several
    ? [make("b", "", "Not known: no test is left."), ` Chances: ${chances(game, found.candidates)}.`]
    : [make("b", "", `Outcome: ${found.outcome}.`)];
  if (things.join(" or ") !== found.outcome) {
    parts.push(` Possible: ${someOf(things)}.`);
  }
  const telling = game.splitting(found.candidates, new Set()).map((test) => game.format(test));
  if (several && telling.length && telling.length < game.given) {
    parts.push(` The answers to these tests would tell more: ${someOf(telling)}.`);
  }
  return parts;
}

/** Return the outcomes of some things, the most likely first, with their probabilities. */
function chances(game, things) {
  const shares = [...game.shares(things)].sort(([, a], [, b]) => b - a);
  const total = shares.reduce((sum, [, weight]) => sum + weight, 0);
  return someOf(
    shares.map(([outcome, n]) => `${game.outcomes[outcome]} ${((100 * n) / total).toFixed(1)}%`),
  );
}

/** Replace the words for guesses by those for tests. */
function speakOfTests() {
  const texts = {
    "remaining-name": "possible things", "missing-name": "possible outcomes",
    "expected-name": "bits expected about the outcome", "bits-name": "bits", "list-name": "Possible things",
    "why-name": "Why this test", "best-name": "test", "last-name": "cost", new: "Start again",
    link: "The address of this page contains the answers: whoever opens it starts from here.",
  };
  for (const [id, text] of Object.entries(texts)) {
    at(id).textContent = text;
  }
  at("rows").setAttribute("aria-label", "Answers so far");
  at("modes").hidden = true;
  at("halving").hidden = true;
}

/** Return the rules of the game for a player, in two sentences. */
function rulesText(game) {
  if (game.labels) {
    return (
      `The page has chosen one of ${formatted(game.secretCount)} secrets. Choose a guess; the page gives its ` +
      "answer, until you name the secret."
    );
  }
  if (game.words) {
    return (
      `The page has chosen one of ${formatted(game.secretCount)} words; guess any of its ` +
      `${formatted(game.guessCount)} words. Green letters are in place, yellow ones are elsewhere in the ` +
      "word, grey ones are not in it."
    );
  }
  const [black, white] = names(game);
  const repeats = game.repeats ? "may repeat" : "are all different";
  const [one, kind] = game.painted ? ["peg", "colour"] : ["symbol", "symbol"];
  return (
    `The page has chosen ${counted(game.length, one)} of ${counted(game.symbols.length, kind)}, which ` +
    `${repeats}. Each answer counts the ${kind}s in their place (${black}), then the right ${kind}s ` +
    `elsewhere (${white}).`
  );
}

function taskText({ game, playing, over, quiet, place, correcting }) {
  if (over) {
    return "";
  }
  if (correcting) {
    const { guess, feedback } = nounsOf(game);
    return `Correct ${guess} ${place + 1} or its ${feedback}, and add it again; Undo leaves it as it was.`;
  }
  if (game.outcomes) {
    return `${quiet ? "Choose a test" : "Make the test below, or choose another"}; then click on its answer.`;
  }
  if (playing) {
    return rulesText(game);
  }
  const feedback = game.words ? "mark its letters as your game did" : "choose the feedback you got";
  const guess = quiet ? "your guess" : "the suggested guess, or your own,";
  return `Make ${guess} in your game; then ${feedback}.`;
}

function amongGuessesText(remaining, quiet) {
  const some = remaining === 1 ? "1 other guess does" : `${formatted(remaining)} other guesses do`;
  const fits = quiet ? "other guesses do" : some;
  return `No secret fits all answers, but ${fits}; guesses are candidates now.`;
}

function parText(session) {
  if (session.found.amongGuesses) {
    return "";
  }
  const guesses = session.par;
  return guesses ? `The book needs ${guesses} for this secret.` : "The book does not find it.";
}

function sourceText({ found, choice, asked, book }) {
  const rule = ruleOf(book.policy);
  if (found.state === "none") {
    return "";
  }
  if (found.state === "unknown") {
    return book.game.guessCount > MAX_CODES
      ? "This is not in the book, and the game has too many codes to look through here."
      : `This is not in the book. ${NO_ENGINE}`;
  }
  if (book.game.outcomes) {
    return testSource(book, found, choice);
  }
  const where = found.state === "book" ? "This is in the book." : "This is not in the book.";
  if (!asked || choice === undefined) {
    return found.state === "live" && asked ? `${where} Computing the guess here...` : where;
  }
  if (choice === null) {
    return `${where} ${book.lacksEngine ? NO_ENGINE : TOO_MUCH}`;
  }
  const chance = weighed(book.game, found) ? odds(book, found, choice).chance : 0;
  const likely = chance ? `, with a chance of ${(100 * chance).toFixed(1)}%` : "";
  const may = choice.candidate ? `It may be the secret${likely}.` : "It is not a candidate.";
  if (found.state === "book") {
    return `From the book. ${may}`;
  }
  const instead = rule.substitute ? `, instead of the book's ${book.policy.name}` : "";
  return `${where} Computed here by ${rule.name}${instead}. ${may}`;
}

/** Return where the next test comes from, and its cost. */
function testSource({ game, policy }, found, choice) {
  if (found.state === "outcome") {
    return "";
  }
  if (!choice) {
    return choice === null ? TOO_MUCH : "Computing the test here...";
  }
  const cost = game.priced ? ` Its cost is ${game.price(game.costs[choice.guess])}.` : "";
  if (found.state === "book") {
    return `From the book.${cost}`;
  }
  const instead = policy.name === "entropy" ? "" : `, instead of the book's ${policy.name}`;
  return `This is not in the book. Computed here by entropy${instead}.${cost}`;
}

/** Return the result of a book of the policy `win`, and the rule of this page off-book. */
function winning(policy, counts) {
  if (policy.name !== "win") {
    return "";
  }
  const sum = (numbers) => numbers.reduce((total, n) => total + n, 0);
  const chance = (100 * sum(counts.slice(0, policy.within))) / sum(counts);
  return (
    ` It finds ${chance.toFixed(2)}% within ${counted(policy.within, "guess", "guesses")}; outside ` +
    `the book this page plays by ${ruleOf(policy).name}.`
  );
}

/** Return the expected cost and the worst case, and the share of each outcome. */
function costText(game, [mean, most]) {
  const things = game.secretIndices;
  const what = game.priced ? "cost" : "number of tests";
  return (
    `an expected ${what} of ${Number(mean.toFixed(4))}, and ${Number(most.toFixed(4))} in the worst case, ` +
    `for ${counted(game.named(things).length, "thing")}. ` +
    `${counted(game.shares(things).size, "outcome")}: ${chances(game, things)}.`
  );
}

/** Return the policy and the results of the book as text. */
function about({ game, policy, cost, distribution, secrets, weight_distribution: weights }) {
  const { name, ...options } = policy;
  const parts = Object.entries(options).map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`);
  const follows = `The book follows ${[name, ...parts].join(", ")}`;
  if (game.outcomes) {
    return `${follows}: ${costText(game, cost)}`;
  }
  const [counts, by] = weights ? [weights, " by weight"] : [distribution, ""];
  const total = counts.reduce((sum, n, k) => sum + n * (k + 1), 0);
  const mean = total / counts.reduce((sum, n) => sum + n, 0);
  return (
    `${follows}: ${mean.toFixed(3)} guesses on average${by} ` +
    `and ${distribution.length} at most, for ${counted(secrets, "secret")}.${winning(policy, counts)}`
  );
}
