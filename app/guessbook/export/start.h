/* The book of {game} ({policy}): {secrets}, {nodes:,} nodes, {tables:,} bytes of tables.

   `guessbook export --to c` wrote this header for C99 and C++. Include it in one source file, without
   the header of another book. The documentation of Guessbook, "Export a header for C and C++", has
   examples. All data are constant: the functions allocate no memory. They need only a few words of
   stack; guessbook_walk needs GUESSBOOK_TEXT bytes more. */
#ifndef GUESSBOOK_H_{identity}
#define GUESSBOOK_H_{identity}
/* The headers of two books define the same names. */
#ifdef GUESSBOOK_H
#error this file already includes another book. Include each book in a source file of its own.
#endif
#define GUESSBOOK_H

#include <stdint.h>
#include <string.h>

/* An 8-bit AVR would copy plain constants to RAM. These macros keep the constants in flash, where a
   special instruction reads them. For other such chips, define both macros before this header. */
#if defined(GUESSBOOK_READ)
#elif defined(__AVR__)
#include <avr/pgmspace.h>
#define GUESSBOOK_FLASH PROGMEM
#define GUESSBOOK_READ(table, index) \
    (sizeof(*(table)) == 1   ? (uint32_t)pgm_read_byte(&(table)[index]) \
     : sizeof(*(table)) == 2 ? (uint32_t)pgm_read_word(&(table)[index]) \
                             : (uint32_t)pgm_read_dword(&(table)[index]))
#else
#define GUESSBOOK_FLASH
#define GUESSBOOK_READ(table, index) ((table)[index])
#endif
