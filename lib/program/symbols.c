/* SPDX-License-Identifier: MIT
 * The names of a draft: each once. */
#include "program/draft.h"

enum { FIRST_SLOTS = 64 };

/* 2^64 by the golden ratio: multiplying by it spreads what differs. */
static const uint64_t golden = 0x9e3779b97f4a7c15u;

static uint64_t word_at(const char *text)
{
  uint64_t word;
  memcpy(&word, text, sizeof word);
  return word;
}

static uint64_t half_at(const char *text)
{
  uint32_t half;
  memcpy(&half, text, sizeof half);
  return half;
}

/* What a name of 0 to 8 bytes is known by: all of them, some twice. */
static inline uint64_t short_word(const char *text, size_t len)
{
  if (len >= 4) return half_at(text) << 32 | half_at(text + len - 4);
  if (!len) return 0;
  return (uint64_t)(unsigned char)text[0] << 16 | (uint64_t)(unsigned char)text[len / 2] << 8 |
         (unsigned char)text[len - 1];
}

/* Of a longer one: eight bytes at a time, the last ones overlapping. */
static uint64_t long_word(const char *text, size_t len)
{
  uint64_t hash = 0;
  for (size_t i = 0; i + 8 < len; i += 8) {
    hash = (hash ^ word_at(text + i)) * golden;
    hash ^= hash >> 32;
  }
  return (hash ^ word_at(text + len - 8)) * golden;
}

static inline uint32_t first_slot(const bpi_draft *d, uint64_t word)
{
  word *= golden;
  return (uint32_t)((word ^ word >> 32) * golden >> 32) & d->slot_mask;
}

static inline uint32_t next_slot(const bpi_draft *d, uint32_t slot)
{
  return (slot + 1) & d->slot_mask;
}

/* The slot of a name: its own, or the free one where it belongs. */
static inline uint32_t find_short(const bpi_draft *d, const char *text, size_t len)
{
  const uint64_t word = short_word(text, len);
  uint32_t slot = first_slot(d, word);
  while (d->slots[slot].symbol && (d->slots[slot].word != word || d->slots[slot].len != len))
    slot = next_slot(d, slot);
  return slot;
}

static uint32_t find_long(const bpi_draft *d, const char *text, size_t len)
{
  const uint64_t word = long_word(text, len);
  uint32_t slot = first_slot(d, word);
  for (const bpi_slot *s; (s = &d->slots[slot])->symbol; slot = next_slot(d, slot))
    if (s->word == word && s->len == len && !memcmp(bpi_draft_text(d, s->symbol - 1), text, len))
      break;
  return slot;
}

static inline uint32_t find_slot(const bpi_draft *d, const char *text, size_t len)
{
  return len <= sizeof(uint64_t) ? find_short(d, text, len) : find_long(d, text, len);
}

uint32_t bpi_draft_find(const bpi_draft *d, const char *text, size_t len)
{
  /* A free slot is 0: BP_NONE. */
  return d->slots ? d->slots[find_slot(d, text, len)].symbol - 1 : BP_NONE;
}

bool bpi_draft_grow(bpi_draft *d)
{
  const uint32_t old_size = d->slots ? d->slot_mask + 1 : 0;
  const uint64_t size = old_size ? (uint64_t)old_size * 2 : FIRST_SLOTS;
  bpi_slot *slots = size <= UINT32_MAX ? bpi_zalloc((size_t)size, sizeof *slots) : NULL;
  if (!slots) return false;
  d->slot_mask = (uint32_t)size - 1;
  for (uint32_t i = 0; i < old_size; i++) {
    if (!d->slots[i].symbol) continue;
    uint32_t slot = first_slot(d, d->slots[i].word);
    while (slots[slot].symbol)
      slot = next_slot(d, slot);
    slots[slot] = d->slots[i];
  }
  bpi_release(d->slots);
  d->slots = slots;
  return true;
}

static uint32_t add_symbol(bpi_draft *d, const char *text, size_t len)
{
  if (len >= UINT32_MAX - 1 || !bpi_vec_reserve(&d->program->names, len + 1) ||
      !bpi_vec_reserve(&d->symbols, 1))
    return BP_NONE;
  char *to = d->program->names.at + d->program->names.count;
  if (len) memcpy(to, text, len);
  to[len] = '\0';
  const bpi_symbol symbol = {.name = d->program->names.count,
                             .len = (uint32_t)len,
                             .proc = BP_NONE,
                             .global = BP_NONE,
                             .local = BP_NONE,
                             .local_proc = BP_NONE,
                             .label = BP_NONE,
                             .label_proc = BP_NONE,
                             .reported = BP_NONE};
  d->program->names.count += (uint32_t)len + 1;
  d->symbols.at[d->symbols.count] = symbol;
  return d->symbols.count++;
}

/* A name that is new. */
BPI_COLD static uint32_t enter(bpi_draft *d, const char *text, size_t len)
{
  if (d->symbols.count >= BPI_MAX_ARGS) {
    bpi_draft_many(d, "names");
    return BP_NONE;
  }
  const bool room = d->symbols.count < d->slot_mask - d->slot_mask / 4 || bpi_draft_grow(d);
  const uint32_t symbol = room ? add_symbol(d, text, len) : BP_NONE;
  if (symbol == BP_NONE) {
    bpi_draft_stop(d, BP_E_NOMEM);
    return BP_NONE;
  }
  const uint64_t word = len <= sizeof word ? short_word(text, len) : long_word(text, len);
  d->slots[find_slot(d, text, len)] = (bpi_slot){word, symbol + 1, (uint32_t)len};
  return symbol;
}

uint32_t bpi_draft_symbol(bpi_draft *d, const char *text, size_t len)
{
  const uint32_t symbol = d->slots[find_slot(d, text, len)].symbol;
  return symbol ? symbol - 1 : enter(d, text, len);
}
