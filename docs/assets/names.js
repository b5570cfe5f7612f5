// Give the button bar of each code block, and the frame in which each table scrolls, an accessible
// name of its own, and let the keyboard reach the frames.
"use strict";

function nameParts() {
  for (const [index, bar] of document.querySelectorAll(".md-code__nav").entries()) {
    bar.setAttribute("aria-label", `Code ${index + 1}`);
  }
  for (const [index, frame] of document.querySelectorAll(".md-typeset__scrollwrap").entries()) {
    frame.tabIndex = 0;
    frame.setAttribute("role", "region");
    frame.setAttribute("aria-label", `Table ${index + 1}`);
  }
}

// The theme adds its buttons and frames when the page is shown.
new MutationObserver(nameParts).observe(document.body, { childList: true, subtree: true });
nameParts();
