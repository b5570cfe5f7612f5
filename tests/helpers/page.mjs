// Runs the script of an exported page without a browser: each element of the page is an object that
// accepts every property and call. Reads the page and histories as JSON from standard input; writes
// the hint that the page gives after each history, or the name of its error.

import { readFileSync } from "node:fs";

const fixed = new Map([
  [Symbol.toPrimitive, () => ""],
  [Symbol.iterator, [][Symbol.iterator].bind([])],
  ["then", undefined],
  ["length", 0],
]);

function element() {
  const known = new Map(fixed);
  return new Proxy(function () {}, {
    get(_, name) {
      if (!known.has(name)) {
        known.set(name, element());
      }
      return known.get(name);
    },
    set: (_, name, value) => known.set(name, value),
    has: () => true,
    deleteProperty: () => true,
    apply: element,
    construct: element,
  });
}

for (const name of ["window", "history", "addEventListener", "matchMedia", "Option"]) {
  globalThis[name] = element();
}
globalThis.location = new URL("file:///page.html");

const [html, histories] = JSON.parse(readFileSync(0, "utf8"));
const [, script] = html.match(/<script type="module">(.*?)<\/script>/s);
const elements = new Map(
  ["book", "engine"].map((id) => {
    const [, data] = html.match(`id="${id}"[^>]*>([^<]*)<`);
    return [id, { textContent: data }];
  }),
);
globalThis.document = element();
globalThis.document.getElementById = (id) => elements.get(id) ?? elements.set(id, element()).get(id);
await (0, eval)(`(async () => {${script}\n})()`);
const { hint } = await globalThis.guessbook;
const hints = [];
for (const history of histories) {
  hints.push(await hint(history).catch((error) => ({ error: error.name })));
}
process.stdout.write(JSON.stringify(hints), () => process.exit());
