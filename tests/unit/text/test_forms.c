/* SPDX-License-Identifier: MIT
 * Each form of the language: what it reads as, seen in what is printed. */
#include "texts.h"

typedef struct form {
  const char *text, *printed;
} form;

/* Statements of main; a, b, c are globals, f(x) has one result, g() none, h(x, y) two. */
#define CONTEXT_IN                                                                                 \
  "decl a, b, c; bool f(x) begin return x; end void g() begin end "                                \
  "bool<2> h(x, y) begin return x, y; end void main() begin "
#define CONTEXT_OUT                                                                                \
  "decl a, b, c;\n\nbool f(x) begin\n  return x;\nend\n\nvoid g() begin\nend\n\n"                  \
  "bool<2> h(x, y) begin\n  return x, y;\nend\n\nvoid main() begin\n"

static const form statements[] = {
    {"", ""},
    {";;; skip ;; skip", "  skip;\n  skip;\n"},
    {"a:=1", "  a := 1;\n"},
    {"a, b := b, a;", "  a, b := b, a;\n"},
    {"a, _ := 1, 0;", "  a, _ := 1, 0;\n"},
    {"_ := f(1);", "  _ := f(1);\n"},
    {"a := f(b & c);", "  a := f(b & c);\n"},
    {"a, _ := h(b, *);", "  a, _ := h(b, *);\n"},
    {"f(1); h(0, 1); g();", "  f(1);\n  h(0, 1);\n  g();\n"},
    {"a := b constrain 'a = !b;", "  a := b constrain 'a = !b;\n"},
    {"a, b := *, * constrain ('a | 'b);", "  a, b := *, * constrain 'a | 'b;\n"},
    {"constrain('a = b);", "  constrain(a = b);\n"},
    {"assert a; assert(a) & b; assume (a); assume ?;",
     "  assert(a);\n  assert(a & b);\n  assume(a);\n  assume(*);\n"},
    {"abortif a; enforce a | b;", "  abortif(a);\n  enforce(a | b);\n"},
    {"dead a; dead a, b; print(a, !b); print();",
     "  dead a;\n  dead a, b;\n  print(a, !b);\n  print();\n"},
    {"L: goto L; M: N: goto L, M, N;", "  L: goto L;\n  M: N: goto L, M, N;\n"},
    {"0: skip; 1: goto 0, 1;", "  0: skip;\n  1: goto 0, 1;\n"},
    {"T: goto T;", "  T: goto T;\n"},
    {"return;", "  return;\n"},
    {"if a then fi", "  if (a) then\n  fi\n"},
    {"if (a) then skip; fi; skip", "  if (a) then\n    skip;\n  fi\n  skip;\n"},
    {"if * then skip elsif !b then skip; elsif 1 then else skip fi",
     "  if (*) then\n    skip;\n  elsif (!b) then\n    skip;\n  elsif (1) then\n  else\n"
     "    skip;\n  fi\n"},
    {"while (*) do a := 1 od while ? do od;",
     "  while (*) do\n    a := 1;\n  od\n  while (*) do\n  od\n"},
    {"decl x; decl y, z := *, w;", "  decl x;\n  decl y, w;\n  decl z := *;\n"},
    {"skip; L: decl x; goto L;", "  skip;\n  L: skip;\n  decl x;\n  goto L;\n"},
    {"L: enforce a; goto L;", "  L: skip;\n  enforce(a);\n  goto L;\n"},
    {"decl thread_local x;", "  decl thread_local x;\n"},
    {"decl thread_local, dead, sync; dead, sync := 1, 0; dead := sync; dead dead;",
     "  decl thread_local, dead, sync;\n  dead, sync := 1, 0;\n  dead := sync;\n  dead dead;\n"},
    {"decl abortif; abortif := 1; abortif abortif; dead: sync: goto dead;",
     "  decl abortif;\n  abortif := 1;\n  abortif(abortif);\n  dead: sync: goto dead;\n"},
    {"decl {x y}, x$1, y#, d-e; {x y} := x$1 & y# & d-e;",
     "  decl {x y}, x$1, y#, d-e;\n  {x y} := x$1 & y# & d-e;\n"},
    {"decl _; _ := 1; a := _;", "  decl _;\n  _ := 1;\n  a := _;\n"},
    {"/* a * b **/ skip; // c\n//\nskip;", "  skip;\n  skip;\n"},
    {"skip;\f\v\r\n\tskip", "  skip;\n  skip;\n"},
    /* threads */
    {"start_thread g(); start_thread goto L; L: end_thread;",
     "  start_thread g();\n  start_thread goto L;\n  L: end_thread;\n"},
    {"start_thread if a then skip; fi atomic_begin; atomic_end; sync a",
     "  start_thread if (a) then\n    skip;\n  fi\n  atomic_begin;\n  atomic_end;\n  sync a;\n"},
    {"ASYNC_1: g();", "  ASYNC_1: g();\n"},
    {"a, b$ := 1, a$ constrain 'a = 'b$;", "  a, b$ := 1, a$ constrain 'a = 'b$;\n"},
};

static const form expressions[] = {
    {"0", "0"},
    {"T", "1"},
    {"F | false | true", "0 | 0 | 1"},
    {"((a))", "a"},
    {"!a", "!a"},
    {"~ !a", "!!a"},
    {"!(a & b)", "!(a & b)"},
    {"a && b || c", "a & b | c"},
    {"a & (b & c)", "a & (b & c)"},
    {"(a & b) & c", "a & b & c"},
    {"(a | b) & c", "(a | b) & c"},
    {"a | b & c", "a | b & c"},
    {"a = b = c", "(a = b) = c"},
    {"a = (b = c)", "a = (b = c)"},
    {"a != b", "a != b"},
    {"a != b = c", "(a != b) = c"},
    {"(a ^ b) ^ c", "a ^ b ^ c"},
    {"a = b & c", "(a = b) & c"},
    {"a = (b & c)", "a = (b & c)"},
    {"a ^ b | c", "(a ^ b) | c"},
    {"a ^ b & c", "a ^ (b & c)"},
    {"a => b | c", "a => b | c"},
    {"a => b => c", "(a => b) => c"},
    {"a => (b => c)", "a => (b => c)"},
    {"* & ?", "* & *"},
    {"?", "*"},
    {"? ? ? : ?", "* ? * : *"},
    {"a ? b : c", "a ? b : c"},
    {"a => b ? b | c : !c", "a => b ? b | c : !c"},
    {"a ? b : c ? a : b", "a ? b : (c ? a : b)"},
    {"a ? b ? c : a : b", "a ? (b ? c : a) : b"},
    {"(a ? b : c) & a", "(a ? b : c) & a"},
    {"!(a ? b : c)", "!(a ? b : c)"},
    {"schoose[a, b]", "schoose[a, b]"},
    {"!schoose[a & b, schoose[b, c ? a : b]] | a", "!schoose[a & b, schoose[b, c ? a : b]] | a"},
};

static void check_form(bp_context *ctx, const char *text, const char *printed)
{
  bp_program *program = parse(ctx, text, strlen(text), NULL, BP_OK);
  buffer b = print(program);
  assert_string_equal(b.at, printed);
  buffer_free(&b);
  check_round_trip(ctx, program, NULL);
  /* What is printed is above suspicion. */
  const bp_program_options strict = {.size = sizeof strict, .strict = 1};
  bp_program *again = parse(ctx, printed, strlen(printed), &strict, BP_OK);
  bp_program_unref(again);
  bp_program_unref(program);
}

static void test_statements(void **state)
{
  bp_context *ctx = *state;
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
    char text[1000], printed[1000];
    snprintf(text, sizeof text, "%s%s end", CONTEXT_IN, statements[i].text);
    snprintf(printed, sizeof printed, "%s%send\n", CONTEXT_OUT, statements[i].printed);
    check_form(ctx, text, printed);
  }
}

static void test_expressions(void **state)
{
  bp_context *ctx = *state;
  for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++) {
    char text[1000], printed[1000];
    snprintf(text, sizeof text, "%sassert %s; end", CONTEXT_IN, expressions[i].text);
    snprintf(printed, sizeof printed, "%s  assert(%s);\nend\n", CONTEXT_OUT,
             expressions[i].printed);
    check_form(ctx, text, printed);
  }
}

static const form programs[] = {
    {"main() begin end", "void main() begin\nend\n"},
    {"dfs void main() begin end;", "dfs void main() begin\nend\n"},
    {"dfs() begin end void main() begin dfs(); end",
     "void dfs() begin\nend\n\nvoid main() begin\n  dfs();\nend\n"},
    {"bool main(x) begin return x end", "bool main(x) begin\n  return x;\nend\n"},
    {"bool<1> main() begin return 1 end", "bool main() begin\n  return 1;\nend\n"},
    {"bool<0> main() begin end", "void main() begin\nend\n"},
    {"bool<3> main() begin return 1,0,* end", "bool<3> main() begin\n  return 1, 0, *;\nend\n"},
    {"void main() begin a := 1; end decl a; decl b := *, c := 1 & !*;",
     "decl a;\ndecl b := *;\ndecl c := 1 & !*;\n\nvoid main() begin\n  a := 1;\nend\n"},
    {"decl thread_local a, b; decl c; void main() begin end",
     "decl thread_local a, b;\ndecl c;\n\nvoid main() begin\nend\n"},
    {"void main() begin f(); end void f() begin main(); end",
     "void main() begin\n  f();\nend\n\nvoid f() begin\n  main();\nend\n"},
    {"decl x; void x(x1) begin x: x := x1; goto x; end void main() begin end",
     "decl x;\n\nvoid x(x1) begin\n  x: x := x1;\n  goto x;\nend\n\nvoid main() begin\nend\n"},
};

static void test_programs(void **state)
{
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    check_form(*state, programs[i].text, programs[i].printed);
}

static void test_goto_prints_a_label_that_leads_there(void **state)
{
  const char *text = "void main() begin X: skip; X: Y: skip; goto Y; end";
  bp_program *program = parse(*state, text, strlen(text), NULL, BP_OK);
  buffer b = print(program);
  assert_non_null(strstr(b.at, "goto Y;"));
  buffer_free(&b);
  check_round_trip(*state, program, NULL);
  bp_program_unref(program);
}

static void test_ranges(void **state)
{
  const char *text = "decl g;\nvoid main(p)\nbegin\n  L: M:  g := p &\n  1;\n  N: fi_x();\nend "
                     "void fi_x() begin end";
  bp_program *p = parse(*state, text, strlen(text), NULL, BP_OK);
  bp_range r;
  bp_stmt_range(p, 0, &r);
  assert_int_equal(r.line, 4);
  assert_int_equal(r.column, 10);
  assert_int_equal(text[r.end - 1], '1');
  bp_var_range(p, 1, &r);
  assert_int_equal(r.line, 2);
  assert_int_equal(r.column, 11);
  bp_proc_range(p, 0, &r);
  assert_int_equal(r.offset, 13);
  assert_int_equal(r.end, 17);
  assert_string_equal(bp_stmt_file(p, 0), "t.bp");
  assert_string_equal(bp_stmt_label(p, 0, 1), "M");
  assert_null(bp_stmt_label(p, 0, 2));
  bp_program_unref(p);
}

static void test_concurrent_count(void **state)
{
  static const struct {
    const char *text;
    uint32_t count;
  } cases[] = {
      {"void main() begin skip; end", 0},
      {"decl a; void main() begin start_thread end_thread; sync a; atomic_begin; atomic_end; end",
       5},
      {"void main() begin ASYNC_1: ASYNC_: skip; async_: skip; end", 2},
      {"decl a; void main() begin a := a$ & a$; a$ := 1; end", 3},
      {"decl a, a$; void main() begin a := a$; end", 0},
      {"void init() begin endinit: skip; end void thread1() begin end void Thread2() begin end "
       "void main() begin end",
       2},
      {"void init() begin endinit: skip; end void thread1() begin end "
       "void main() begin thread1(); end",
       0},
      {"void init() begin skip; end void thread1() begin end void main() begin end", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bp_program *p = parse(*state, cases[i].text, strlen(cases[i].text), NULL, BP_OK);
    assert_int_equal(bp_program_concurrent_count(p), cases[i].count);
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
      cmocka_unit_test(test_statements),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_programs),
      cmocka_unit_test(test_goto_prints_a_label_that_leads_there),
      cmocka_unit_test(test_ranges),
      cmocka_unit_test(test_concurrent_count),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
