/* SPDX-License-Identifier: MIT
 * Places in a source that was read before, for messages. */
#ifndef BPI_PLACES_H
#define BPI_PLACES_H

#include "program/draft.h"
#include "text/lexer.h"

/* A text, and where the last search in it stands, as the next one often is for something behind. */
typedef struct bpi_text {
  bpi_source source;
  bpi_lexer lexer;
  uint32_t offset; /* of the statement searched; meaningless while `part` is none */
  uint8_t part;    /* bpi_part plus 1; 0: none */
  uint8_t kind;
  bool item; /* a `decl`: the next name is that of an item */
  uint32_t depth, found;
} bpi_text;

/* Their source is a bpi_text. */
extern const bpi_places bpi_text_places;

#endif
