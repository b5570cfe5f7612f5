// The start: unpack the book, show the page, and give scripts the functions of the page.

async function start() {
  const book = await unpack(at("book").textContent);
  let opened = null;
  /** Return the engine, opened at its first use; null if this page or this browser has none. */
  book.engine = async () => {
    opened ??= openEngine(at("engine").textContent);
    const engine = await opened;
    book.lacksEngine = engine === null;
    return engine;
  };
  const session = new Session(book, {
    changed: () => {
      screen.draw();
      link.keep();
    },
    said: (text) => {
      at("status").textContent = text;
    },
    progressed: (done) => screen.progress(done),
  });
  const screen = new Screen(session, new Controls(session));
  const link = new Link(session);
  at("main").hidden = false;
  await link.follow();
  performance.mark("first hint");
  book.engine(); // so that the first hint off the book need not wait for it
  return { hint: (history) => hint(book, history), session };
}

// `await guessbook` gives the functions that a script in the page may call.
globalThis.guessbook = start();
globalThis.guessbook.catch((error) => {
  const old = typeof DecompressionStream === "undefined";
  at("failure").textContent = old
    ? "This browser is too old for this page: it needs DecompressionStream (from about 2023 on)."
    : `This page does not work here: ${error.message}`;
  at("failure").hidden = false;
});
