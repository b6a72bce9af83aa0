/* SPDX-License-Identifier: MIT
 * Runs a fuzz target on the files given, so that its seeds are ordinary tests. Every file is also
 * tried with some bytes changed, the same ones each time. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t next(uint32_t *random)
{
  *random = *random * 1664525u + 1013904223u;
  return *random >> 8;
}

static void run(const uint8_t *bytes, size_t size, uint32_t random)
{
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) return;
  for (size_t i = 0; i < size; i++)
    copy[i] = bytes[i];
  for (uint32_t n = random ? next(&random) % 4 + 1 : 0; n > 0 && size; n--) {
    const size_t to = next(&random) % size, from = next(&random) % size;
    copy[to] = next(&random) % 4 ? bytes[from] : (uint8_t)next(&random);
  }
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
}

int main(int argc, char **argv)
{
  static uint8_t bytes[1 << 20];
  for (int i = 1; i < argc; i++) {
    FILE *file = fopen(argv[i], "rb");
    if (!file) return 1;
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    run(bytes, size, 0);
    for (uint32_t random = 1; random <= 200; random++)
      run(bytes, size, random);
  }
  return 0;
}
