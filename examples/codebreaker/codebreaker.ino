// The board guesses your code: it prints a guess on the serial line, and you type its black and white
// pegs, such as 1,2, until the guess is right.
//
// The book is a header beside this file, and is stored in flash:
//   guessbook export mastermind-4x6 --to c -o guess.h
// Books of other code games work if they fit; docs/how-to/embed/c.md says what fits.
#include "guess.h"

int32_t node = 0;  // the current node of the book, first the root
char answer[8];
unsigned char typed = 0;

void ask() {
  char code[GUESSBOOK_TEXT];
  guessbook_code(node, code);
  Serial.print(F("My guess: "));
  Serial.println(code);
}

void answered(int32_t feedback) {
  int32_t next = guessbook_next(node, feedback);
  if (feedback == GUESSBOOK_SOLVED) {
    Serial.println(F("Solved! Think of another code."));
    node = 0;
  } else if (next >= 0) {
    node = next;
  } else if (feedback >= 0) {
    Serial.println(F("No code fits. Let us start again."));
    node = 0;
  } else {
    Serial.println(F("Please type black,white such as 1,2."));
  }
}

void setup() {
  Serial.begin(115200);
  ask();
}

void loop() {
  if (Serial.available() == 0) return;
  char c = (char)Serial.read();
  if (c != '\n') {
    if (c != '\r' && typed < sizeof answer - 1) answer[typed++] = c;
    return;
  }
  answer[typed] = '\0';
  typed = 0;
  answered(guessbook_feedback(answer));
  ask();
}
