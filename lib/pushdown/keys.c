/* SPDX-License-Identifier: MIT */
#include "pushdown/pushdown.h"

#include "base/hash.h"

static uint32_t *place_of(const bpi_keys *keys, bpi_key key)
{
  uint64_t hash = BPI_HASH_START;
  for (uint32_t i = 0; i < 3; i++)
    hash = bpi_hash_u64(hash, key.at[i]);
  for (uint32_t i = (uint32_t)hash;; i++) {
    uint32_t *slot = &keys->slots[i & (keys->size - 1)];
    if (!*slot || !memcmp(&keys->list.at[*slot - 1], &key, sizeof key)) return slot;
  }
}

static bool grow(bpi_keys *keys)
{
  if (keys->size > UINT32_MAX / 4) return false;
  uint32_t *old = keys->slots, size = keys->size ? 2 * keys->size : 64;
  uint32_t *slots = bpi_zalloc(size, sizeof *slots);
  if (!slots) return false;
  keys->slots = slots;
  keys->size = size;
  for (uint32_t i = 0; i < keys->list.count; i++)
    *place_of(keys, keys->list.at[i]) = i + 1;
  bpi_release(old);
  return true;
}

uint32_t bpi_keys_find(const bpi_keys *keys, uint32_t a, uint32_t b, uint32_t c)
{
  return keys->size ? *place_of(keys, (bpi_key){{a, b, c}}) - 1 : BP_NONE;
}

uint32_t bpi_keys_add(bpi_keys *keys, uint32_t a, uint32_t b, uint32_t c)
{
  const bpi_key key = {{a, b, c}};
  if (keys->list.count >= keys->size / 2 && !grow(keys)) return BP_NONE;
  uint32_t *slot = place_of(keys, key);
  if (*slot) return *slot - 1;
  if (!bpi_vec_push(&keys->list, key)) return BP_NONE;
  *slot = keys->list.count;
  return *slot - 1;
}

void bpi_keys_free(bpi_keys *keys)
{
  bpi_vec_free(&keys->list);
  bpi_release(keys->slots);
  *keys = (bpi_keys){0};
}
