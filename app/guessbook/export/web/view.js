// Drawing: pegs, tiles, rows and controls as elements. Text is never interpreted as HTML.

/** An element with a class and children, which are elements or text. */
function make(tag, name, ...children) {
  const element = document.createElement(tag);
  if (name) {
    element.className = name;
  }
  element.append(...children);
  return element;
}

/** Return hidden text for screen readers. */
function unseen(text) {
  return make("span", "unseen", text);
}

/** Return the name of a symbol, such as "R red" or "7". */
function symbolName(game, digit) {
  const [name] = game.drawn?.[game.symbols[digit]] ?? [];
  const own = game.names?.[digit] ?? name;
  return own ? `${shownSymbol(game, digit)} ${own}` : shownSymbol(game, digit);
}

/** A symbol as it is drawn: letters of words in upper case. */
function shownSymbol(game, digit) {
  return game.words ? capital(game.symbols[digit]) : game.symbols[digit];
}

/** Return a letter in upper case; unchanged if the upper case is not a single letter. */
function capital(letter) {
  const upper = letter.toUpperCase();
  return Array.from(upper).length === 1 ? upper : letter;
}

/** Show a symbol on a peg or tile; null shows an empty one. */
function show(element, game, digit) {
  element.classList.add(game.painted ? "peg" : "tile");
  element.classList.toggle("empty", digit === null);
  element.textContent = digit === null ? "" : shownSymbol(game, digit);
  const [, color, ink] = (digit !== null && game.drawn?.[game.symbols[digit]]) || [];
  for (const [name, value] of [["--peg", color], ["--ink", ink]]) {
    element.style[value ? "setProperty" : "removeProperty"](name, value);
  }
}

/** A guess as people read it. */
function readable(game, guess) {
  return game.labels ? game.called(guess) : game.format(guess);
}

/** A code as a row of pegs or tiles. Screen readers read a text made by `unseen` instead. */
function codeRow(game, guess, feedback = null) {
  if (game.labels) {
    const label = make("span", "code label", readable(game, guess));
    label.setAttribute("aria-hidden", "true");
    return label;
  }
  const marks = game.words && feedback !== null ? game.marks(feedback) : [];
  const cells = game.digits(guess).map((digit, p) => {
    const cell = make("span", "cell");
    show(cell, game, digit);
    if (marks.length) {
      cell.dataset.mark = marks[p];
    }
    return cell;
  });
  const row = make("span", "code", ...cells);
  row.setAttribute("aria-hidden", "true");
  return row;
}

/** One peg of feedback on its tray. */
function tray(kind) {
  const sample = make("span", "pins", make("i", `pin ${kind}`));
  sample.setAttribute("aria-hidden", "true");
  return sample;
}

/** Black and white pegs as a block, with the numbers of both. */
function pegBlock(game, feedback) {
  if (game.labels) {
    const answer = make("span", "answer label", answerText(game, feedback));
    answer.setAttribute("aria-hidden", "true");
    return answer;
  }
  const [black, white] = game.pair(feedback);
  const pegs = Array.from({ length: game.length }, (_, k) => {
    const kind = k < black ? "black" : k < black + white ? "white" : "none";
    return make("i", `pin ${kind}`);
  });
  const block = make("span", "pins", ...pegs);
  block.style.setProperty("--across", Math.ceil(game.length / (game.length > 3 ? 2 : 1)));
  const result = make("span", "answer", block, make("span", "numbers", `${black},${white}`));
  result.setAttribute("aria-hidden", "true");
  return result;
}

/** The row of an earlier guess, with its feedback and, unless hints are hidden, the number of remaining candidates. */
function rowItem(game, row, number, quiet) {
  const left = quiet || row.left === undefined ? "" : `${formatted(row.left)} left`;
  const leftover = make("span", "left");
  if (left) {
    leftover.append(formatted(row.left), make("span", "word", " left"));
  }
  leftover.setAttribute("aria-hidden", "true");
  const listened = `${readable(game, row.guess)}: ${spoken(game, row.feedback)}. ${left}`;
  const parts = [unseen(listened), codeRow(game, row.guess, row.feedback)];
  if (!game.words) {
    parts.push(pegBlock(game, row.feedback));
  }
  const place = make("span", "number", String(number));
  return make("li", "", place, make("div", "body", ...parts, leftover));
}

/** A code in the list of candidates: pegs in colors, or plain text. */
function listItem(game, code) {
  const text = game.outcomes ? code : game.format(code);
  if (!game.painted) {
    return make("li", "text", text);
  }
  return make("li", "", unseen(text), codeRow(game, code));
}

/** A fieldset of numbers from 0 to the number of pegs, one of which is chosen. */
function numberChoice(game, kind, choose) {
  const name = names(game)[kind];
  const set = make("fieldset", "counts");
  const legend = make("legend", "", tray(kind ? "white" : "black"), name);
  const options = make("div", "options");
  for (let n = 0; n <= game.length; n++) {
    const input = make("input");
    Object.assign(input, { type: "radio", name: `count-${kind}`, value: String(n) });
    input.addEventListener("change", () => choose(kind, n));
    options.append(make("label", "", input, make("span", "", String(n))));
  }
  set.append(legend, options);
  return set;
}

/** A control with its name before it. */
function field(name, control) {
  const label = make("label", "", name);
  control.id = label.htmlFor = `field-${name.toLowerCase()}`;
  return make("div", "field", label, control);
}

/** A list to choose a label from; nothing is chosen at first. `offer` replaces the labels by some of them. */
function labelChoice(labels, choose) {
  const list = make("select", "choice");
  list.offer = (numbers) => {
    const options = numbers.map((number) => new Option(labels[number], String(number)));
    list.replaceChildren(new Option("", ""), ...options);
  };
  list.offer([...labels.keys()]);
  list.addEventListener("change", () => choose(list.value === "" ? null : Number(list.value)));
  list.show = (number) => {
    list.value = number ?? "";
  };
  return list;
}

/** A button for each answer to a test, and one for "don't know"; a click chooses the answer. */
function answerButtons(labels, choose) {
  const group = make("div", "answers");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Answer");
  group.offer = (numbers) => {
    const answers = numbers.map((number) => button("", labels[number], () => choose(number)));
    const unknown = button("unknown", "Don't know", () => choose(NOT_KNOWN));
    group.replaceChildren(...(numbers.length ? [...answers, unknown] : []));
    group.numbers = [...numbers, NOT_KNOWN];
  };
  group.show = (chosen) => {
    for (const [k, element] of [...group.children].entries()) {
      element.setAttribute("aria-pressed", String(group.numbers[k] === chosen));
    }
  };
  return group;
}

const COMPLETED = 50; // largest number of labels in the list of completions

/** A text field for one of many labels, which offers the labels that contain the typed text. */
function labelField(labels, parse, choose) {
  const input = make("input", "choice");
  const offered = make("datalist");
  offered.id = "labels";
  Object.assign(input, { type: "text", placeholder: "type a part of it", autocomplete: "off" });
  input.setAttribute("list", offered.id);
  const folded = labels.map((label) => label.toLowerCase());
  const offer = () => {
    const typed = input.value.trim().toLowerCase();
    const fitting = [];
    for (let k = 0; k < labels.length && fitting.length < COMPLETED; k++) {
      if (folded[k].includes(typed)) {
        fitting.push(new Option(labels[k]));
      }
    }
    offered.replaceChildren(...fitting);
  };
  input.addEventListener("input", () => {
    offer();
    const number = parse(input.value);
    choose(number < 0 ? null : number);
  });
  input.show = (number) => {
    // Do not replace the text while the user is typing.
    const other = number === null ? document.activeElement !== input : parse(input.value) !== number;
    if (other) {
      input.value = number === null ? "" : labels[number];
    }
  };
  offer();
  input.offered = offered;
  return input;
}

/** Return the symbols in rows of keys: as on a keyboard for a-z, else in the order of the game. */
function keyRows(game) {
  const latin = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
  if (game.words && game.symbols.every((symbol) => /^[a-z]$/.test(symbol))) {
    return latin.map((row) => Array.from(row, (letter) => game.rank(letter)));
  }
  return [game.symbols.map((_, digit) => digit)];
}

/** The legend of the marks: a sample and the name of each mark. */
function marksLegend() {
  return MARKS.map((name, mark) => {
    const sample = make("span", "sample");
    sample.dataset.mark = mark;
    return make("span", "legend", sample, name);
  });
}

/** Return a button with a text; a click calls `act`. */
function button(name, text, act) {
  const element = make("button", name, text);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}
