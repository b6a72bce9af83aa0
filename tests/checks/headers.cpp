// SPDX-License-Identifier: MIT
// One public header, alone and twice: headers.py compiles this once for each, as C++11.
#include HEADER
#include HEADER

int bp_header_compiles();
int bp_header_compiles()
{
  return 0;
}
