/* SPDX-License-Identifier: MIT */
#include "mixed.h"

#include <stdlib.h>

enum { STATEMENTS = 60 };

static void put_statements(draft *t)
{
  static const char *const operators[] = {"&", "|", "^", "="};
  for (uint32_t i = 0; i < STATEMENTS; i++) {
    const uint32_t to = pick(t, MIXED_VARS), left = pick(t, MIXED_VARS),
                   right = pick(t, MIXED_VARS);
    const uint32_t way = pick(t, 12);
    put(t, "    x%u := %sx%u %s x%u;\n", to, way < 4 ? "!" : "", left, operators[way % 4], right);
  }
}

const char *const mixed_reachable[MIXED_REACHABLE] = {
    "  if (x1 & x2 & !x3 & x4 & x5) then BAD: skip; fi\n",
    "  a, b := *, *;\n  flip();\n  if (a & !b & x1) then BAD: skip; fi\n",
    "  a := x1;\n  flip();\n  b := same(a);\n  if (a & b & !x1 & x5) then BAD: skip; fi\n",
    "  a := x1;\n  x1 := same(x2);\n  if (a & x1 & !x3) then BAD: skip; fi\n",
    "  x1 := x2;\n  flip();\n  flip();\n  mix();\n  check(x1 & x2, x3 | x4);\n",
    "  a := x3;\n  mix();\n  b := x3;\n  mix();\n  check(a & !b, x3);\n",
    "  x1 := x2;\n  lose();\n  if (x1 != x2) then BAD: skip; fi\n",
    "  x1 := x2;\n  lose();\n  a := x1;\n  copy();\n  if (a != x2 & x1 = x4) then BAD: skip; fi\n",
    "  a, b, c := x1, x2, x3;\n  flip();\n  if (a & b & !c | b & c & x1) then BAD: skip; fi\n",
    "  x1, x2 := x2, x1;\n  a := same(x1);\n  x3 := same(a);\n  check(x3, !x2);\n",
    "  a := x1;\n  while (*) do\n    flip();\n    b := same(x1);\n  od\n  if (a & !b) then BAD: "
    "skip; fi\n",
};

char *mixed_text(const char *tail, uint32_t loops)
{
  draft t = draft_begin(29);
  put(&t, "decl still := 0");
  for (uint32_t i = 0; i < MIXED_VARS; i++)
    put(&t, ", x%u", i);
  put(&t, ";\nvoid mix() begin\n");
  for (uint32_t i = 0; i < loops; i++) {
    put(&t, "  while (*) do\n");
    put_statements(&t);
    put(&t, "    x%u := *;\n  od\n", pick(&t, MIXED_VARS));
  }
  put(&t, "end\nvoid check(m, n) begin\n  if (m & !n) then BAD: skip; fi\nend\n");
  put(&t, "void flip() begin\n  x1 := !x1;\nend\n");
  put(&t, "bool same(m) begin\n  return m;\nend\n");
  put(&t,
      "void copy() begin\n  if (*) then\n    x2 := x1;\n    copy();\n    x1 := x2;\n  fi\nend\n");
  put(&t, "void lose() begin\n  if (*) then\n    flip();\n    lose();\n  fi\nend\n");
  put(&t, "void main() begin\n  decl a, b, c;\n");
  for (uint32_t i = 0; i < MIXED_VARS; i += 2)
    put(&t, "  x%u := 0;\n", i);
  put(&t, "  mix();\n%send\n", tail);
  return t.start;
}

void put_mixed_tail(draft *t)
{
  static const char *const calls[] = {"flip();",       "copy();",        "lose();",
                                      "a := same(b);", "x2 := same(c);", "check(a & x1, b);"};
  put(t, "  a, b, c := x%u, x%u, x%u;\n", 1 + pick(t, 3), 1 + pick(t, 3), 1 + pick(t, 3));
  put(t, "  x%u := %s;\n", 1 + pick(t, 2), pick(t, 2) ? "0" : "a");
  for (uint32_t i = 0; i < 2; i++)
    put(t, "  %s\n", calls[pick(t, 5 + i)]);
  put(t, "  if (");
  for (uint32_t i = 0; i < 2; i++) {
    static const char *const names[] = {"a", "b", "c", "x1", "x2", "x3"};
    for (uint32_t k = 0; k < 6; k++)
      if (pick(t, 4)) put(t, "%s%s & ", pick(t, 2) ? "!" : "", names[k]);
    put(t, i ? "1" : "1 | ");
  }
  put(t, ") then BAD: skip; fi\n");
}

bp_query *ask_about_mixed(const char *tail, uint32_t off)
{
  char *text = mixed_text(tail, FEW_LOOPS);
  bp_query *q = ask_about(text, off);
  free(text);
  return q;
}
