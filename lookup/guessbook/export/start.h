/* The book of {game} ({policy}): {secrets:,} secrets, {nodes:,} nodes, {tables:,} bytes of tables.

   Made by `guessbook export --to c`; its page "A header for C and C++" says the rest. C99 or C++;
   include it in one source file. Everything is static and constant: no allocation, no RAM but a
   few words of stack. */
#ifndef GUESSBOOK_H
#define GUESSBOOK_H

#include <stdint.h>
#include <string.h>

/* 8-bit AVRs would copy constants to RAM and read flash by an instruction of its own. For other
   chips of that kind define both macros before this header. */
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
