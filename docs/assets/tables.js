// In tables with more than 20 rows, a click on the head of a column sorts the rows by this column,
// and a second click reverses the order.
"use strict";

// The number that a cell begins with, such as 1,296 or about 56,225; NaN if there is none.
function numberIn(text) {
  const found = /^(?:about )?(-?[\d,]+(?:\.\d+)?)/.exec(text.trim());
  return found ? Number(found[1].replaceAll(",", "")) : NaN;
}

function compareTexts(a, b) {
  const [m, n] = [numberIn(a), numberIn(b)];
  if (Number.isNaN(m) !== Number.isNaN(n)) return Number.isNaN(m) ? 1 : -1;
  return Number.isNaN(m) || m === n ? a.localeCompare(b, "en", { numeric: true }) : m - n;
}

function sortBy(table, column, button) {
  const turned = button.parentElement.getAttribute("aria-sort") === "ascending";
  const rows = [...table.tBodies[0].rows];
  const text = (row) => row.cells[column].textContent;
  rows.sort((a, b) => (turned ? -1 : 1) * compareTexts(text(a), text(b)));
  for (const head of table.tHead.rows[0].cells) head.removeAttribute("aria-sort");
  button.parentElement.setAttribute("aria-sort", turned ? "descending" : "ascending");
  table.tBodies[0].append(...rows);
}

function makeSortable(table) {
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, column, button));
    head.append(button);
  }
}

for (const table of document.querySelectorAll("article table")) {
  if (table.tHead && table.tBodies[0]?.rows.length > 20) makeSortable(table);
}
