/* SPDX-License-Identifier: MIT
 * One public header, alone and twice: headers.py compiles this once for each, as C11. */
#include HEADER
#include HEADER

int bp_header_compiles(void);
int bp_header_compiles(void)
{
  return 0;
}
