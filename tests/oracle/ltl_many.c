/* SPDX-License-Identifier: MIT
 * Answers many questions about formulas, for ltl_diff.py and bench/ltl_sizes.py. Each line of the
 * input is a formula; the answer is a number of parts, each `== NAME` and some lines, and then `== end`.
 * With --sizes the automata are counted instead of printed. */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bp_context *ctx;
static bp_sink out;

static void part(const char *name)
{
  printf("== %s\n", name);
}

static int failed(bp_status status)
{
  if (status == BP_OK) return 0;
  printf("== error\n%s: %s\n", bp_status_name(status), bp_context_message(ctx));
  return 1;
}

static void show_formula(const char *name, bp_status status, bp_formula *f)
{
  if (failed(status)) return;
  part(name);
  failed(bp_formula_write(f, &out));
  printf("\n");
  bp_formula_unref(f);
}

typedef struct text {
  char *at;
  size_t used, room;
} text;

static int collect(void *user, const char *bytes, size_t len)
{
  text *t = user;
  if (t->used + len >= t->room) {
    t->room = 2 * (t->used + len) + 64;
    char *at = realloc(t->at, t->room);
    if (!at) return 1;
    t->at = at;
  }
  memcpy(t->at + t->used, bytes, len);
  t->used += len;
  return 0;
}

/* Prints it as it comes back from its own text. */
static void show_again(const bp_automaton *a)
{
  text t = {0};
  bp_automaton *again;
  const bp_sink sink = {.size = sizeof sink, .write = collect, .user = &t};
  if (!failed(bp_automaton_write_hoa(a, &sink)) &&
      !failed(bp_automaton_read_hoa(&again, ctx, t.at, t.used, "again"))) {
    part("again");
    failed(bp_automaton_write_hoa(again, &out));
    bp_automaton_unref(again);
  }
  free(t.at);
}

static bp_automaton *show_automaton(const char *name, const bp_formula *f, int raw,
                                    int degeneralize)
{
  const bp_automaton_options options = {
      .size = sizeof options, .raw = raw, .degeneralize = degeneralize};
  bp_automaton *a;
  if (failed(bp_automaton_from_formula(&a, ctx, f, &options))) return NULL;
  part(name);
  failed(bp_automaton_write_hoa(a, &out));
  return a;
}

static void show_intersection(const bp_automaton *a, const bp_automaton *b)
{
  bp_automaton *both;
  if (!a || !b || failed(bp_automaton_intersect(&both, ctx, a, b))) return;
  part("common");
  printf("%s\n", bp_automaton_is_empty(both) ? "empty" : "not empty");
  bp_automaton_unref(both);
}

static void show_automata(const bp_formula *f)
{
  bp_formula *no = NULL;
  bp_automaton *a = show_automaton("tgba", f, 0, 0), *b = NULL;
  bp_automaton_unref(show_automaton("raw", f, 1, 0));
  bp_automaton_unref(show_automaton("one", f, 0, 1));
  if (!failed(bp_formula_negate(&no, ctx, f))) b = show_automaton("negated", no, 0, 0);
  if (a) show_again(a);
  show_intersection(a, b);
  bp_automaton_unref(a);
  bp_automaton_unref(b);
  bp_formula_unref(no);
}

static void show_size(const char *name, const bp_formula *f, int degeneralize)
{
  const bp_automaton_options options = {.size = sizeof options, .degeneralize = degeneralize};
  bp_automaton *a;
  if (failed(bp_automaton_from_formula(&a, ctx, f, &options))) return;
  printf("== %s\n%u %u %u %d\n", name, bp_automaton_state_count(a), bp_automaton_edge_count(a),
         bp_automaton_set_count(a), bp_automaton_is_deterministic(a));
  bp_automaton_unref(a);
}

static void answer(const char *line, size_t len, int sizes)
{
  bp_formula *f, *g;
  if (failed(bp_formula_parse(&f, ctx, line, len, "line"))) return;
  if (sizes) {
    show_size("tgba", f, 0);
    show_size("one", f, 1);
  } else {
    show_formula("formula", BP_OK, bp_formula_ref(f));
    printf("== classes\n%u\n", bp_formula_classes(f));
    bp_status status = bp_formula_nnf(&g, ctx, f);
    show_formula("nnf", status, g);
    status = bp_formula_simplify(&g, ctx, f);
    show_formula("simplified", status, g);
    status = bp_formula_negate(&g, ctx, f);
    show_formula("negation", status, g);
    show_automata(f);
  }
  bp_formula_unref(f);
}

int main(int argc, char **argv)
{
  static char line[1 << 16];
  const int sizes = argc > 1 && !strcmp(argv[1], "--sizes");
  if (bp_context_new(&ctx) != BP_OK) return 2;
  bp_sink_stdio(&out, stdout);
  while (fgets(line, sizeof line, stdin)) {
    answer(line, strcspn(line, "\n"), sizes);
    part("end");
    fflush(stdout);
  }
  bp_context_unref(ctx);
  return 0;
}
