/* SPDX-License-Identifier: MIT */
#include "base/context.h"
#include "program/program.h"
#include "texts.h"

typedef struct fixture {
  bp_context *ctx;
  bp_builder *b;
} fixture;

static bp_program *finish(fixture *f, bp_status expected)
{
  bp_program *p = NULL;
  const bp_status status = bp_builder_finish(f->b, &p);
  if (status != expected) printf("%s\n", bp_context_message(f->ctx));
  assert_string_equal(bp_status_name(status), bp_status_name(expected));
  assert_true((p != NULL) == (status == BP_OK));
  return p;
}

static void check_print(fixture *f, const char *printed)
{
  bp_program *p = finish(f, BP_OK);
  buffer b = print(p);
  assert_string_equal(b.at, printed);
  buffer_free(&b);
  check_round_trip(f->ctx, p, NULL);
  bp_program_unref(p);
}

static uint32_t count_errors(fixture *f, uint32_t number)
{
  uint32_t count = 0;
  for (uint32_t i = 0; i < bp_context_diagnostic_count(f->ctx); i++)
    count += bp_context_diagnostic_number(f->ctx, i) == number;
  return count;
}

static void simple_main(fixture *f)
{
  assert_int_not_equal(bp_builder_proc_begin(f->b, "main", 0), BP_NONE);
  bp_builder_skip(f->b);
  assert_int_equal(bp_builder_proc_end(f->b), BP_OK);
}

static void test_everything(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
  const uint32_t g = bp_builder_global(b, "g", BP_NONE);
  const uint32_t h = bp_builder_global(b, "h", bp_builder_const(b, 1));
  assert_int_equal(g, 0);
  assert_int_equal(h, 1);
  assert_int_equal(bp_builder_proc_begin(b, "f", 2), 0);
  const uint32_t x = bp_builder_formal(b, "x");
  const uint32_t nx = bp_builder_not(b, bp_builder_var(b, x));
  assert_int_equal(bp_builder_return(b, (const uint32_t[]){nx, bp_builder_var(b, g)}, 2), 0);
  bp_builder_proc_end(b);
  const uint32_t late = bp_builder_global(b, "late", BP_NONE);
  assert_int_equal(late, 3);
  bp_builder_proc_begin(b, "main", 0);
  const uint32_t l = bp_builder_local(b, "l");
  const uint32_t m = bp_builder_local(b, "m");
  const uint32_t eg = bp_builder_var(b, g), el = bp_builder_var(b, l);
  bp_builder_label(b, "L");
  bp_builder_origin(b, 77);
  bp_builder_at(b, "host.c", 12, 3);
  assert_int_equal(bp_builder_call(b, "f", (const uint32_t[]){l, BP_NONE}, 2, &eg, 1), 2);
  bp_builder_if(b, bp_builder_schoose(b, eg, el));
  bp_builder_assign(b, (const uint32_t[]){g, BP_NONE}, (const uint32_t[]){el, el}, 2,
                    bp_builder_implies(b, bp_builder_next(b, g), eg));
  bp_builder_elsif(b, bp_builder_xor(b, eg, bp_builder_eq(b, el, eg)));
  bp_builder_assert(b, bp_builder_cond(b, eg, el, bp_builder_nondet(b)));
  bp_builder_else(b);
  bp_builder_dead(b, &m, 1);
  bp_builder_label(b, "end of else");
  bp_builder_end(b);
  bp_builder_while(b, bp_builder_or(b, eg, bp_builder_and(b, el, eg)));
  bp_builder_assume(b, bp_builder_const(b, 0));
  bp_builder_enforce(b, eg);
  bp_builder_goto(b, (const char *const[]){"L", "end of else"}, 2);
  bp_builder_end(b);
  bp_builder_call(b, "f", NULL, 0, &el, 1);
  bp_builder_proc_end(b);
  check_print(f, "decl g;\ndecl h := 1;\ndecl late;\n\nbool<2> f(x) begin\n  return !x, g;\nend\n\n"
                 "void main() begin\n  decl l, m;\n  L: l, _ := f(g);\n  if (schoose[g, l]) then\n"
                 "    g, _ := l, l constrain 'g => g;\n  elsif (g ^ (l = g)) then\n"
                 "    assert(g ? l : *);\n  else\n    dead m;\n    {end of else}: skip;\n  fi\n"
                 "  while (g | l & g) do\n    assume(0);\n    enforce(g);\n"
                 "    goto L, {end of else};\n  od\n  f(l);\nend\n");
  bp_program *p = finish(f, BP_OK);
  bp_range r;
  bp_stmt_range(p, 2, &r);
  assert_int_equal(r.line, 12);
  assert_int_equal(r.column, 3);
  assert_string_equal(bp_stmt_file(p, 2), "host.c");
  assert_int_equal(bp_stmt_origin(p, 2), 77);
  assert_string_equal(bp_stmt_file(p, 0), "built");
  assert_int_equal(bp_stmt_callee(p, 2), 0);
  assert_string_equal(bp_var_name(p, late), "late");
  bp_program_unref(p);
}

/* The same program from text and from calls has one fingerprint. */
static void test_same_fingerprint(void **state)
{
  fixture *f = *state;
  const char *text = "decl g; void main() begin decl l; l := g & *; end";
  const uint32_t g = bp_builder_global(f->b, "g", BP_NONE);
  bp_builder_proc_begin(f->b, "main", 0);
  const uint32_t l = bp_builder_local(f->b, "l");
  const uint32_t e = bp_builder_and(f->b, bp_builder_var(f->b, g), bp_builder_nondet(f->b));
  bp_builder_assign(f->b, &l, &e, 1, BP_NONE);
  bp_builder_proc_end(f->b);
  bp_program *built = finish(f, BP_OK);
  bp_program *read = parse(f->ctx, text, strlen(text), NULL, BP_OK);
  assert_int_equal(bp_program_fingerprint(built), bp_program_fingerprint(read));
  bp_program_unref(built);
  bp_program_unref(read);
}

static void test_names(void **state)
{
  fixture *f = *state;
  static const char *const names[] = {"p == q", "if", "dead", "T",   "_", "1x",
                                      "a->b",   "ok", "a$#1", "a-b", "a-"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_int_equal(bp_builder_global(f->b, names[i], BP_NONE), i);
  bp_builder_proc_begin(f->b, "main", 0);
  bp_builder_label(f->b, "12");
  bp_builder_skip(f->b);
  bp_builder_proc_end(f->b);
  check_print(f, "decl {p == q}, {if}, dead, {T}, {_}, {1x}, {a->b}, ok, a$#1, a-b, {a-};\n\n"
                 "void main() begin\n  12: skip;\nend\n");
  assert_int_equal(bp_builder_global(f->b, "{x}y}", BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_global(f->b, "", BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_global(f->b, NULL, BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_global(f->b, "a\nb", BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_global(f->b, "{}", BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_global(f->b, "{x", BP_NONE), BP_NONE);
  finish(f, BP_E_INPUT);
  assert_int_equal(count_errors(f, BPI_MSG_BUILDER), 6);
}

/* Whatever a program calls its things, the builder takes it for the same name. */
static void test_names_from_getters(void **state)
{
  fixture *f = *state;
  static const char text[] = "decl {x > 0}, dead, sync, thread_local, a-b;\n"
                             "void {a:b}(dfs) begin T: {l m}: 12: abortif: _: dead := sync; goto "
                             "T, {l m}, 12, abortif; end\n"
                             "void end_thread(a) begin {a:b}({x > 0}); end\n"
                             "void main() begin skip; end\n";
  bp_program *read = parse(f->ctx, text, sizeof text - 1, NULL, BP_OK);
  bp_builder *b = f->b;
  for (uint32_t g = 0; g < bp_program_global_count(read); g++)
    bp_builder_global(b, bp_var_name(read, g), BP_NONE);
  bp_builder_proc_begin(b, bp_proc_name(read, 0), 0);
  bp_builder_formal(b, bp_var_name(read, bp_proc_var_first(read, 0)));
  const char *labels[5];
  for (uint32_t i = 0; i < 5; i++) {
    labels[i] = bp_stmt_label(read, 0, i);
    assert_int_equal(bp_builder_label(b, labels[i]), BP_OK);
  }
  const uint32_t dead = bp_program_find_var(read, BP_NONE, "dead");
  const uint32_t value = bp_builder_var(b, bp_program_find_var(read, BP_NONE, "sync"));
  bp_builder_assign(b, &dead, &value, 1, BP_NONE);
  bp_builder_goto(b, labels, 4);
  bp_builder_proc_end(b);
  bp_builder_proc_begin(b, bp_proc_name(read, 1), 0);
  bp_builder_formal(b, "a");
  const uint32_t x = bp_builder_var(b, bp_program_find_var(read, BP_NONE, "{x > 0}"));
  bp_builder_call(b, "a:b", NULL, 0, &x, 1);
  bp_builder_proc_end(b);
  simple_main(f);
  bp_program *built = finish(f, BP_OK);
  assert_int_equal(bp_program_fingerprint(built), bp_program_fingerprint(read));
  check_round_trip(f->ctx, built, NULL);
  bp_program_unref(built);
  bp_program_unref(read);
}

static void test_goes_on_after_finish(void **state)
{
  fixture *f = *state;
  bp_builder_proc_begin(f->b, "main", 0);
  bp_builder_call(f->b, "later", NULL, 0, NULL, 0);
  bp_builder_goto(f->b, (const char *const[]){"nowhere"}, 1);
  bp_program *p = NULL;
  assert_int_equal(bp_builder_finish(f->b, &p), BP_E_STATE);
  bp_builder_label(f->b, "nowhere");
  bp_builder_proc_end(f->b);
  finish(f, BP_E_INPUT);
  assert_int_equal(count_errors(f, BPI_MSG_NO_PROC), 1);
  bp_builder_proc_begin(f->b, "later", 0);
  bp_builder_proc_end(f->b);
  const char *first = "void main() begin\n  later();\n  goto nowhere;\n  nowhere: skip;\nend\n\n"
                      "void later() begin\nend\n";
  check_print(f, first);
  check_print(f, first);
  bp_builder_global(f->b, "g", BP_NONE);
  bp_program *more = finish(f, BP_OK);
  assert_int_equal(bp_program_global_count(more), 1);
  bp_program_unref(more);
}

static void test_all_errors_at_once(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
  bp_builder_at(b, "host.c", 7, 1);
  const uint32_t one = bp_builder_const(b, 1);
  bp_builder_global(b, "g", BP_NONE);
  bp_builder_global(b, "g", BP_NONE);
  bp_builder_proc_begin(b, "f", 1);
  const uint32_t x = bp_builder_formal(b, "x");
  bp_builder_return(b, (const uint32_t[]){one, one}, 2);
  bp_builder_proc_end(b);
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_call(b, "f", NULL, 0, NULL, 0);
  bp_builder_call(b, "g", NULL, 0, NULL, 0);
  bp_builder_goto(b, (const char *const[]){"L"}, 1);
  bp_builder_assert(b, bp_builder_next(b, 0));
  bp_builder_proc_end(b);
  finish(f, BP_E_INPUT);
  assert_int_equal(bp_context_error_count(f->ctx), 6);
  assert_true(has_diagnostic(f->ctx, BP_ERROR, BPI_MSG_ARGUMENTS, 7, 1));
  assert_int_equal(count_errors(f, BPI_MSG_DUPLICATE), 1);
  assert_int_equal(count_errors(f, BPI_MSG_RETURNS), 1);
  assert_int_equal(count_errors(f, BPI_MSG_NO_PROC), 1);
  assert_int_equal(count_errors(f, BPI_MSG_NO_LABEL), 1);
  assert_int_equal(count_errors(f, BPI_MSG_PRIME), 1);
  (void)x;
}

static void test_misuse(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
  assert_int_equal(bp_builder_skip(b), BP_NONE); /* 1: no procedure */
  assert_int_equal(bp_builder_proc_end(b), BP_E_STATE);
  assert_int_equal(bp_builder_label(b, "L"), BP_E_STATE); /* 2 */
  assert_int_equal(bp_builder_formal(b, "x"), BP_NONE);   /* 3 */
  bp_builder_proc_begin(b, "f", 0);
  const uint32_t l = bp_builder_local(b, "l");
  assert_int_equal(bp_builder_formal(b, "x"), BP_NONE);          /* 4: after a local */
  assert_int_equal(bp_builder_global(b, "g", BP_NONE), BP_NONE); /* 5 */
  assert_int_equal(bp_builder_proc_begin(b, "h", 0), BP_NONE);   /* 6 */
  bp_builder_skip(b);
  assert_int_equal(bp_builder_local(b, "m"), BP_NONE); /* 7: after a statement */
  assert_int_equal(bp_builder_end(b), BP_NONE);        /* 8 */
  assert_int_equal(bp_builder_else(b), BP_NONE);       /* 9 */
  assert_int_equal(bp_builder_if(b, 12345), BP_NONE);  /* 10: no such expression */
  bp_builder_else(b);
  assert_int_equal(bp_builder_elsif(b, bp_builder_const(b, 1)), BP_NONE); /* 11: after else */
  assert_int_equal(bp_builder_var(b, 999), BP_NONE);                      /* 12 */
  assert_int_equal(bp_builder_not(b, BP_NONE), BP_NONE); /* carried along silently */
  assert_int_equal(bp_builder_assert(b, BP_NONE), BP_NONE);
  assert_int_equal(bp_builder_assign(b, NULL, NULL, 1, BP_NONE), BP_NONE); /* 13 */
  assert_int_equal(bp_builder_goto(b, NULL, 0), BP_NONE);                  /* 14 */
  assert_int_equal(bp_builder_proc_end(b), BP_E_STATE);                    /* 15: an open if */
  bp_builder_proc_begin(b, "main", 0);
  assert_int_equal(bp_builder_assert(b, bp_builder_var(b, l)), BP_NONE); /* 16: of f */
  assert_int_equal(bp_builder_dead(b, &l, 1), BP_NONE);                  /* 17 */
  bp_builder_proc_end(b);
  finish(f, BP_E_INPUT);
  assert_int_equal(count_errors(f, BPI_MSG_BUILDER), 17);
  assert_int_equal(bp_context_error_count(f->ctx), 17);
  finish(f, BP_E_INPUT);
  assert_int_equal(bp_context_error_count(f->ctx), 17);
}

/* Bits of a number: a hint that shows nowhere but in the variable order, and that must make sense. */
static void test_numbers(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
  uint32_t g[3], l[3];
  for (uint32_t i = 0; i < 3; i++)
    g[i] = bp_builder_global(b, (const char *const[]){"g0", "g1", "g2"}[i], BP_NONE);
  assert_int_equal(bp_builder_number(NULL, g, 3), BP_E_INVALID);
  assert_int_equal(bp_builder_number(b, g, 2), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  for (uint32_t i = 0; i < 3; i++)
    l[i] = bp_builder_local(b, (const char *const[]){"l0", "l1", "l2"}[i]);
  assert_int_equal(bp_builder_number(b, (const uint32_t[]){l[2], l[0]}, 2), BP_OK);
  bp_builder_skip(b);
  bp_builder_proc_end(b);
  bp_program *p = finish(f, BP_OK);
  const bpi_var *v = p->vars.at;
  assert_true(v[g[0]].number == g[0] + 1 && v[g[1]].number == g[0] + 1);
  assert_true(v[l[0]].number == l[0] + 1 && v[l[2]].number == l[0] + 1);
  assert_true(v[g[1]].weight == 1 && v[l[0]].weight == 1);
  assert_int_equal(v[g[2]].number + v[l[1]].number, 0);
  bp_program_unref(p);
  check_print(f, "decl g0, g1, g2;\n\nvoid main() begin\n  decl l0, l1, l2;\n  skip;\nend\n");
}

static void test_bad_numbers(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
  const uint32_t g = bp_builder_global(b, "g", BP_NONE), h = bp_builder_global(b, "h", BP_NONE);
  bp_builder_proc_begin(b, "f", 0);
  const uint32_t l = bp_builder_local(b, "l");
  bp_builder_proc_end(b);
  bp_builder_proc_begin(b, "main", 0);
  const uint32_t m = bp_builder_local(b, "m");
  const uint32_t bad[][2] = {{g, m}, {m, g}, {m, l}, {g, g}, {g, 99}};
  for (uint32_t i = 0; i < 5; i++)
    assert_int_equal(bp_builder_number(b, bad[i], 2), BP_E_INVALID);
  assert_int_equal(bp_builder_number(b, NULL, 1), BP_E_INVALID);
  assert_int_equal(bp_builder_number(b, bad[0], 65536), BP_E_INVALID);
  assert_int_equal(bp_builder_number(b, (const uint32_t[]){g, h}, 2), BP_OK);
  assert_int_equal(bp_builder_number(b, &h, 1), BP_E_INVALID);
  bp_builder_skip(b);
  bp_builder_proc_end(b);
  finish(f, BP_E_INPUT);
  assert_int_equal(count_errors(f, BPI_MSG_BUILDER), 8);
}

/* The context says at once what a call came to, and where in the program. */
static void test_messages(void **state)
{
  fixture *f = *state;
  bp_builder *b = f->b;
#define SAYS(call, answer, text)                                                                   \
  do {                                                                                             \
    assert_int_equal(call, answer);                                                                \
    assert_string_equal(bp_context_message(f->ctx), text);                                         \
  } while (0)
  SAYS(bp_builder_skip(b), BP_NONE, "a statement outside of a procedure");
  SAYS(bp_builder_proc_end(b), BP_E_STATE, "no procedure is open");
  SAYS(bp_builder_label(b, "L"), BP_E_STATE, "a statement outside of a procedure");
  SAYS(bp_builder_at(b, NULL, 4, 2), BP_OK, "");
  SAYS(bp_builder_proc_begin(b, "f g", 0), 0, "");
  SAYS(bp_builder_label(b, ""), BP_E_INVALID,
       "in procedure '{f g}': '' cannot be a name: it is empty");
  SAYS(bp_builder_end(b), BP_NONE, "in procedure '{f g}': an end without an open block");
  SAYS(bp_builder_var(b, 9), BP_NONE, "in procedure '{f g}': there is no variable 9");
  /* What fails for want of an operand tells of the first mistake. */
  SAYS(bp_builder_not(b, BP_NONE), BP_NONE, "a statement outside of a procedure");
  SAYS(bp_builder_goto(b, NULL, 0), BP_NONE, "in procedure '{f g}': a goto without labels");
  bp_builder_if(b, bp_builder_const(b, 1));
  bp_program *p = NULL;
  SAYS(bp_builder_finish(b, &p), BP_E_STATE, "procedure '{f g}' is still open");
  SAYS(bp_builder_proc_end(b), BP_E_STATE,
       "in procedure '{f g}': the 'if' of line 4 is still open at the end");
  SAYS(bp_builder_proc_begin(b, "g", 0), 1, "");
  bp_builder_if(b, bp_builder_const(b, 1));
  bp_builder_at(b, NULL, 0, 0);
  bp_builder_while(b, bp_builder_const(b, 1));
  SAYS(bp_builder_proc_end(b), BP_E_STATE,
       "in procedure 'g': 2 blocks are still open at the end, the innermost is the 'while'");
#undef SAYS
  simple_main(f);
  finish(f, BP_E_INPUT);
  assert_int_equal(bp_context_error_count(f->ctx), 8);
}

static void check_written(fixture *f, const char *expected)
{
  buffer out = {0};
  const bp_sink sink = buffer_sink(&out);
  assert_int_equal(bp_context_write_diagnostics(f->ctx, &sink), BP_OK);
  assert_string_equal(out.at, expected);
  buffer_free(&out);
}

/* Without a place a message says in which procedure; without a file there is only a place. */
static void test_places(void **state)
{
  fixture *f = *state;
  bp_builder *b;
  bp_program *p;
  assert_int_equal(bp_builder_new(&b, f->ctx, NULL, NULL), BP_OK);
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_call(b, "nobody", NULL, 0, NULL, 0);
  bp_builder_at(b, NULL, 5, 2);
  bp_builder_call(b, "nobody", NULL, 0, NULL, 0);
  bp_builder_at(b, "host.c", 6, 1);
  bp_builder_call(b, "nobody", NULL, 0, NULL, 0);
  bp_builder_proc_end(b);
  assert_int_equal(bp_builder_finish(b, &p), BP_E_INPUT);
  check_written(f, "libbp: error: in procedure 'main': there is no procedure 'nobody'\n"
                   "5:2: error: there is no procedure 'nobody'\n"
                   "host.c:6:1: error: there is no procedure 'nobody'\n");
  bp_builder_free(b);
}

static void test_null(void **state)
{
  fixture *f = *state;
  bp_program *p = NULL;
  bp_builder *b = NULL;
  const bp_program_options bad = {.size = 3};
  assert_int_equal(bp_builder_new(NULL, f->ctx, "", NULL), BP_E_INVALID);
  assert_int_equal(bp_builder_new(&b, NULL, "", NULL), BP_E_INVALID);
  assert_int_equal(bp_builder_new(&b, f->ctx, "", &bad), BP_E_INVALID);
  assert_int_equal(bp_builder_finish(NULL, &p), BP_E_INVALID);
  assert_int_equal(bp_builder_finish(f->b, NULL), BP_E_INVALID);
  assert_int_equal(bp_builder_skip(NULL), BP_NONE);
  assert_int_equal(bp_builder_const(NULL, 1), BP_NONE);
  assert_int_equal(bp_builder_if(NULL, 0), BP_NONE);
  assert_int_equal(bp_builder_proc_end(NULL), BP_E_INVALID);
  bp_builder_free(NULL);
}

/* A graph of 64 nodes that would be 2^64 instructions. */
static void test_exponential(void **state)
{
  fixture *f = *state;
  const uint32_t g = bp_builder_global(f->b, "g", BP_NONE);
  simple_main(f);
  uint32_t e = bp_builder_var(f->b, g);
  for (int i = 0; i < 64; i++)
    e = bp_builder_and(f->b, e, e);
  assert_int_equal(e, BP_NONE);
  finish(f, BP_E_INPUT);
  assert_int_equal(count_errors(f, BPI_MSG_TOO_LARGE), 1);
  assert_int_equal(bp_context_error_count(f->ctx), 1);
}

static void test_deep(void **state)
{
  fixture *f = *state;
  const uint32_t g = bp_builder_global(f->b, "g", BP_NONE);
  uint32_t e = bp_builder_var(f->b, g);
  for (int i = 0; i < 1000000; i++)
    e = bp_builder_not(f->b, e);
  bp_builder_proc_begin(f->b, "main", 0);
  bp_builder_assert(f->b, e);
  bp_builder_proc_end(f->b);
  bp_program *p = finish(f, BP_OK);
  check_round_trip(f->ctx, p, NULL);
  bp_program_unref(p);
}

/* Each use of a `*` is a choice of its own. */
static void test_choices_are_copied(void **state)
{
  fixture *f = *state;
  const uint32_t star = bp_builder_nondet(f->b);
  bp_builder_proc_begin(f->b, "main", 0);
  bp_builder_assert(f->b, bp_builder_or(f->b, star, star));
  bp_builder_assume(f->b, star);
  bp_builder_proc_end(f->b);
  check_print(f, "void main() begin\n  assert(* | *);\n  assume(*);\nend\n");
}

static void test_limits(void **state)
{
  fixture *f = *state;
  simple_main(f);
  bp_context_cancel(f->ctx);
  finish(f, BP_E_LIMIT);
  bp_program_unref(finish(f, BP_OK));
}

static int setup(void **state)
{
  fixture *f = calloc(1, sizeof *f);
  *state = f;
  if (!f || bp_context_new(&f->ctx) != BP_OK) return 1;
  return bp_builder_new(&f->b, f->ctx, "built", NULL) != BP_OK;
}

static int teardown(void **state)
{
  fixture *f = *state;
  bp_builder_free(f->b);
  bp_context_unref(f->ctx);
  free(f);
  return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, setup, teardown)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(everything),
      TEST(same_fingerprint),
      TEST(names),
      TEST(names_from_getters),
      TEST(goes_on_after_finish),
      TEST(all_errors_at_once),
      TEST(misuse),
      TEST(numbers),
      TEST(bad_numbers),
      TEST(messages),
      TEST(places),
      TEST(null),
      TEST(exponential),
      TEST(deep),
      TEST(choices_are_copied),
      TEST(limits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
