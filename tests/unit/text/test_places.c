/* SPDX-License-Identifier: MIT
 * Where things stand in the text: what a program tells, and what messages point at. */
#include "texts.h"

static void add(buffer *b, const char *text)
{
  buffer_add(b, text, strlen(text));
}

static void repeat(buffer *b, const char *text, uint32_t times)
{
  while (times--)
    add(b, text);
}

/* `count` names x0, x1, ... with commas between. */
static void add_names(buffer *b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    char text[20];
    snprintf(text, sizeof text, "%sx%u", i ? ", " : "", (unsigned)i);
    add(b, text);
  }
}

/* Counts lines up to the place. */
static void check_place(const buffer *text, const bp_range *place)
{
  uint32_t line = 1, begin = 0;
  assert_true(place->offset < place->end && place->end <= text->len);
  for (uint32_t i = 0; i < place->offset; i++)
    if (text->at[i] == '\n') {
      line++;
      begin = i + 1;
    }
  assert_int_equal(place->line, line);
  assert_int_equal(place->column, place->offset - begin + 1);
}

static void check_stmt(const buffer *text, const bp_program *p, uint32_t stmt, const char *first,
                       uint32_t len)
{
  bp_range place;
  bp_stmt_range(p, stmt, &place);
  check_place(text, &place);
  assert_memory_equal(text->at + place.offset, first, strlen(first));
  assert_int_equal(place.end - place.offset, len);
}

/* Statements that are too long, too far away, or have too much in them for the usual row. */
static void test_wide(void **state)
{
  enum { MANY = 5000 };
  buffer b = {0};
  add(&b, "decl ");
  add_names(&b, MANY);
  add(&b, ";\nvoid f(");
  add_names(&b, MANY);
  add(&b, ") begin end\nvoid main() begin\n");
  const size_t assign = b.len;
  add_names(&b, MANY);
  add(&b, " := ");
  add_names(&b, MANY);
  add(&b, " constrain x0");
  const size_t call = b.len;
  add(&b, ";\nf(");
  add_names(&b, MANY);
  add(&b, ")");
  const size_t dead = b.len;
  add(&b, "; dead ");
  add_names(&b, MANY);
  const size_t end = b.len;
  add(&b, ";\n");
  repeat(&b, " ", 70000);
  add(&b, "skip; return; assume x1;\n/*");
  repeat(&b, "\n", 70000);
  add(&b, "*/ L: assert (x2); goto L;\nend\n");
  bp_program *p = parse(*state, b.at, b.len, NULL, BP_OK);
  assert_int_equal(bp_program_stmt_count(p), 8);
  check_stmt(&b, p, 0, "x0, ", (uint32_t)(call - assign));
  check_stmt(&b, p, 1, "f(x0, ", (uint32_t)(dead - call - 2));
  check_stmt(&b, p, 2, "dead x0", (uint32_t)(end - dead - 2));
  check_stmt(&b, p, 3, "skip; ", 4);
  check_stmt(&b, p, 4, "return; ", 6);
  check_stmt(&b, p, 5, "assume ", 9);
  check_stmt(&b, p, 6, "assert ", 11);
  check_stmt(&b, p, 7, "goto L", 6);
  assert_int_equal(bp_stmt_callee(p, 1), 0);
  assert_int_equal(bp_stmt_callee(p, 2), BP_NONE);
  assert_int_equal(bp_stmt_proc(p, 0), 1);
  assert_string_equal(bp_stmt_label(p, 6, 0), "L");
  check_round_trip(*state, p, NULL);
  bp_program_unref(p);
  buffer_free(&b);
}

/* All names of a procedure made by using them: each stands where it was met first. */
static void test_undeclared(void **state)
{
  enum { MANY = 5000 };
  const bp_program_options options = {.size = sizeof options, .undeclared = BP_UNDECLARED_LOCAL};
  buffer b = {0};
  add(&b, "void f() begin L: skip; end void g(a) begin a := b; end\nvoid main() begin f();\n");
  add_names(&b, MANY);
  add(&b, " := y0");
  repeat(&b, ", x1", MANY - 1);
  add(&b, ";\nif (!(x0 & 'y1 | y2)) then M: skip; fi g(y3); goto M; end");
  const size_t prime = (size_t)(strstr(b.at, "'y1") - b.at);
  b.at[prime] = ' ';
  bp_program *p = parse(*state, b.at, b.len, &options, BP_OK);
  assert_int_equal(bp_program_var_count(p), 2 + MANY + 4);
  assert_int_equal(bp_proc_stmt_count(p, 0), 1);
  assert_int_equal(bp_proc_stmt_count(p, 1), 2);
  for (uint32_t var = 0; var < bp_program_var_count(p); var++) {
    bp_range place;
    const char *name = bp_var_name(p, var);
    bp_var_range(p, var, &place);
    check_place(&b, &place);
    assert_int_equal(place.end - place.offset, strlen(name));
    assert_memory_equal(b.at + place.offset, name, strlen(name));
  }
  assert_int_equal(bp_program_find_label(p, BP_NONE, "L", 0), 0);
  const uint32_t labelled = bp_program_find_label(p, 2, "M", 0);
  assert_int_equal(bp_stmt_kind_of(p, labelled), BP_STMT_SKIP);
  check_stmt(&b, p, labelled, "skip", 4);
  bp_program_unref(p);
  buffer_free(&b);
}

typedef struct expected {
  const char *text;
  bp_severity severity;
  uint32_t number, line, column;
} expected;

/* The places inside a statement that messages point at. */
static const expected expectations[] = {
    {"void main() begin\n decl a := F, b,\n c := schoose[a, u], d := a & v; end", BP_ERROR, 301, 3,
     18},
    {"void main() begin\n decl a := F, b,\n c := schoose[a, u],\n d := a & v; end", BP_ERROR, 301,
     4, 11},
    {"void main() begin decl a := F,\n b := F, c := 'a; end", BP_ERROR, 310, 2, 15},
    {"decl a; void main() begin\n a, b := F, F; end", BP_ERROR, 301, 2, 5},
    {"decl a; void main() begin a := F,\n b; end", BP_ERROR, 301, 2, 2},
    {"decl a; void main() begin a := F constrain a =\n  'b; end", BP_ERROR, 301, 2, 3},
    {"decl a; void main() begin dead a, b; end", BP_ERROR, 301, 1, 35},
    {"decl a; void main() begin dead\n a /* b */ , b; end", BP_ERROR, 301, 2, 14},
    {"decl a; void main() begin print(a, (b)); end", BP_ERROR, 301, 1, 37},
    {"decl a; void main() begin while (!(a & b)) do od end", BP_ERROR, 301, 1, 40},
    {"decl a; void f(x) begin end void main() begin f(b); end", BP_ERROR, 301, 1, 49},
    {"decl a; void main() begin\n a :=\n nowhere(a); end", BP_ERROR, 304, 3, 2},
    {"decl a; void main() begin\n nowhere (a); end", BP_ERROR, 304, 2, 2},
    {"void main() begin L: skip; goto L,\n M; end", BP_ERROR, 303, 2, 2},
    {"void main() begin 1: skip; goto 1, T; end", BP_ERROR, 303, 1, 36},
    {"decl a; void main() begin assume(a & 'a); end", BP_ERROR, 310, 1, 38},
    {"decl a; void main() begin assume(a & ' a | 'a); end", BP_ERROR, 310, 1, 38},
    {"decl a, b; void main() begin a, b, a := F, F, F; end", BP_WARNING, 403, 1, 36},
    {"void main() begin L: skip; M: L: skip; end", BP_WARNING, 402, 1, 31},
    {"decl a := T, b := a; void main() begin end", BP_ERROR, 311, 1, 19},
    {"decl a := T, b := F | 'a; void main() begin end", BP_ERROR, 311, 1, 23},
    {"decl a;\nvoid main() begin a := b; end", BP_ERROR, 301, 2, 24},
    {"decl a; /*\n*/ void main() begin a := b; end", BP_ERROR, 301, 2, 27},
    {"\nvoid main() begin a; end", BP_ERROR, 201, 2, 20},
    {"void main() begin skip; /* \n end", BP_ERROR, 102, 1, 25},
    {"void main() begin\n skip; {", BP_ERROR, 103, 2, 8},
    {"void main() begin\n skip; -", BP_ERROR, 101, 2, 8},
    {"void main() begin\n skip;\n", BP_ERROR, 203, 3, 1},
    {"void main() begin\n skip; ", BP_ERROR, 203, 2, 8},
};

static void test_messages(void **state)
{
  for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
    const expected *e = &expectations[i];
    const bp_status status = e->severity == BP_ERROR ? BP_E_INPUT : BP_OK;
    bp_program *p = parse(*state, e->text, strlen(e->text), NULL, status);
    check_diagnostic(*state, e->text, e->severity, e->number, e->line, e->column);
    bp_program_unref(p);
  }
}

static int setup(void **state)
{
  return bp_context_new((bp_context **)state) != BP_OK;
}

static int teardown(void **state)
{
  bp_context_unref(*state);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_undeclared),
      cmocka_unit_test(test_messages),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
