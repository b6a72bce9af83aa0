/* SPDX-License-Identifier: MIT
 * A small software model checker: predicate abstraction with refinement, as SLAM does it.
 *
 *   abstract    each predicate becomes a boolean variable, each statement its effect on them
 *   check       bp_reachable() looks for an execution that fails an assertion
 *   replay      the trace, mapped back through origin tags, is run on the concrete program
 *   refine      when it cannot happen: weakest preconditions along it give new predicates
 *
 * The concrete programs have three variables of 2 bits, so "for all concrete states" is a loop; a
 * real front end asks an SMT solver instead. The rest is as it would be. */
#include <bp/bp.h>
#include <stdio.h>
#include <string.h>

enum { LOCKED, OLD, NEW, VARS, CONST = VARS };
enum { STATES = 64, MOST_PREDS = 6, MOST_PATH = 64, MOST_CODE = 16 };
static const char *const var_name[] = {"locked", "old", "new"};

/* ---- the concrete programs ---------------------------------------------- */

/* left == right + add, modulo 4; right may be CONST (0). */
typedef struct atom {
  int left, right, add;
} atom;

typedef enum op { ASSIGN, BRANCH, MAYBE, ASSERT, HALT } op;
typedef struct instr {
  op op;
  atom a;     /* ASSIGN: left = right + add; BRANCH: goto unless it holds; ASSERT: must hold */
  int target; /* BRANCH, MAYBE (goto or not, as the environment likes) */
  uint32_t line;
} instr;

/*  1  locked = 0;
 *  2  do {
 *  3    assert(!locked); locked = 1;
 *  4    old = new;
 *  5    if (request()) {
 *  6      assert(locked); locked = 0;
 *  7      new++;                          forgotten in `bad`
 *  8    }
 *  9  } while (new != old);
 * 10  assert(locked); */
#define LOCK_LOOP(increment)                                                                       \
  {                                                                                                \
    {ASSIGN, {LOCKED, CONST, 0}, 0, 1}, {ASSERT, {LOCKED, CONST, 0}, 0, 3},                        \
        {ASSIGN, {LOCKED, CONST, 1}, 0, 3}, {ASSIGN, {OLD, NEW, 0}, 0, 4},                         \
        {MAYBE, {0, 0, 0}, 8, 5}, {ASSERT, {LOCKED, CONST, 1}, 0, 6},                              \
        {ASSIGN, {LOCKED, CONST, 0}, 0, 6}, {ASSIGN, {NEW, NEW, increment}, 0, 7},                 \
        {BRANCH, {NEW, OLD, 0}, 1, 9}, {ASSERT, {LOCKED, CONST, 1}, 0, 10},                        \
        {HALT, {0, 0, 0}, 0, 11},                                                                  \
  }
static const instr good[MOST_CODE] = LOCK_LOOP(1);
static const instr bad[MOST_CODE] = LOCK_LOOP(0);

static int value(int state, int var)
{
  return var == CONST ? 0 : state >> 2 * var & 3;
}

static int holds(int state, atom a)
{
  return value(state, a.left) == ((value(state, a.right) + a.add) & 3);
}

static int assign(int state, atom a)
{
  const int result = (value(state, a.right) + a.add) & 3;
  return (state & ~(3 << 2 * a.left)) | result << 2 * a.left;
}

/* What must hold before the assignment for `a` to hold after it: 1 and *out, or 0 when that is a
 * constant. */
static int before(atom set, atom a, atom *out)
{
  if (a.left == set.left) a = (atom){set.right, a.right, a.add - set.add};
  if (a.right == set.left) a = (atom){a.left, set.right, a.add + set.add};
  if (a.left == CONST) a = (atom){a.right, CONST, -a.add};
  *out = (atom){a.left, a.right, a.add & 3};
  return a.left != a.right;
}

/* ---- predicates ---------------------------------------------------------- */

typedef struct preds {
  atom at[MOST_PREDS];
  int count;
} preds;

/* 1 when it is new. */
static int add_pred(preds *p, atom a)
{
  for (int i = 0; i < p->count; i++)
    if (!memcmp(&p->at[i], &a, sizeof a)) return 0;
  if (p->count == MOST_PREDS) return 0;
  p->at[p->count++] = a;
  return 1;
}

static void spell(atom a, char *out, size_t size)
{
  if (a.right == CONST)
    snprintf(out, size, "%s == %d", var_name[a.left], a.add);
  else
    snprintf(out, size, a.add ? "%s == %s + %d" : "%s == %s", var_name[a.left], var_name[a.right],
             a.add);
}

static int minterm(const preds *p, int state)
{
  int bits = 0;
  for (int i = 0; i < p->count; i++)
    bits |= holds(state, p->at[i]) << i;
  return bits;
}

/* ---- abstract ------------------------------------------------------------- */

/* The predicates have the values that `m` says. */
static uint32_t these(bp_builder *b, const preds *p, int m)
{
  uint32_t all = bp_builder_const(b, 1);
  for (int i = 0; i < p->count; i++) {
    const uint32_t var = bp_builder_var(b, (uint32_t)i);
    all = bp_builder_and(b, all, m >> i & 1 ? var : bp_builder_not(b, var));
  }
  return all;
}

/* When the predicates tell that `a` has the value `want` after the assignment (NULL: now): the
 * disjunction of the minterms in whose states it always has. */
static uint32_t surely(bp_builder *b, const preds *p, const atom *set, atom a, int want)
{
  int failing[1 << MOST_PREDS] = {0};
  for (int s = 0; s < STATES; s++)
    if (holds(set ? assign(s, *set) : s, a) != want) failing[minterm(p, s)] = 1;
  uint32_t any = bp_builder_const(b, 0);
  for (int m = 0; m < 1 << p->count; m++)
    if (!failing[m]) any = bp_builder_or(b, any, these(b, p, m));
  return any;
}

/* Some concrete state has these values: `locked == 0` and `locked == 1` exclude one another. */
static uint32_t consistent(bp_builder *b, const preds *p)
{
  int possible[1 << MOST_PREDS] = {0};
  for (int s = 0; s < STATES; s++)
    possible[minterm(p, s)] = 1;
  uint32_t any = bp_builder_const(b, 0);
  for (int m = 0; m < 1 << p->count; m++)
    if (possible[m]) any = bp_builder_or(b, any, these(b, p, m));
  return any;
}

/* Its value as far as the predicates tell it, else a free choice. */
static uint32_t abstraction(bp_builder *b, const preds *p, const atom *set, atom a)
{
  return bp_builder_schoose(b, surely(b, p, set, a, 1), surely(b, p, set, a, 0));
}

static void add_goto(bp_builder *b, int target)
{
  char text[16];
  const char *const label = text;
  snprintf(text, sizeof text, "I%d", target);
  bp_builder_goto(b, &label, 1);
}

static void add_instr(bp_builder *b, const preds *p, const instr *in)
{
  uint32_t targets[MOST_PREDS], values[MOST_PREDS];
  switch (in->op) {
  case ASSIGN:
    for (int i = 0; i < p->count; i++) {
      targets[i] = (uint32_t)i;
      values[i] = abstraction(b, p, &in->a, p->at[i]);
    }
    if (p->count)
      bp_builder_assign(b, targets, values, (uint32_t)p->count, BP_NONE);
    else
      bp_builder_skip(b);
    break;
  case BRANCH:
  case MAYBE:
    bp_builder_if(b, in->op == MAYBE ? bp_builder_nondet(b)
                                     : bp_builder_not(b, abstraction(b, p, NULL, in->a)));
    add_goto(b, in->target);
    bp_builder_end(b);
    break;
  case ASSERT: bp_builder_assert(b, abstraction(b, p, NULL, in->a)); break;
  case HALT: bp_builder_return(b, NULL, 0); break;
  }
}

/* The boolean program; the origin of each statement is the index of its instruction. */
static bp_status abstract(bp_program **out, bp_context *ctx, const preds *p, const instr *code)
{
  bp_builder *b = NULL;
  bp_status status = bp_builder_new(&b, ctx, "abstraction", NULL);
  if (status != BP_OK) return status;
  char name[64];
  for (int i = 0; i < p->count; i++) {
    spell(p->at[i], name, sizeof name);
    bp_builder_global(b, name, BP_NONE);
  }
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_enforce(b, consistent(b, p));
  for (int i = 0; i == 0 || code[i - 1].op != HALT; i++) {
    bp_builder_at(b, "loop.c", code[i].line, 1);
    bp_builder_origin(b, (uint64_t)i);
    snprintf(name, sizeof name, "I%d", i);
    bp_builder_label(b, name);
    add_instr(b, p, &code[i]);
  }
  bp_builder_proc_end(b);
  status = bp_builder_finish(b, out);
  bp_builder_free(b);
  return status;
}

/* ---- replay and refine ----------------------------------------------------- */

/* The instructions that the trace runs through: an `if` and its goto have one origin. */
static bp_status path_of(bp_trace *trace, const bp_program *p, int *path, int *length)
{
  bp_cursor *c = NULL;
  bp_status status = bp_cursor_new(&c, trace);
  *length = 0;
  while (status == BP_OK && (status = bp_cursor_next(c)) == BP_OK) {
    if (bp_stmt_kind_of(p, bp_cursor_stmt(c)) == BP_STMT_GOTO) continue;
    if (*length < MOST_PATH) path[(*length)++] = (int)bp_cursor_origin(c);
  }
  bp_cursor_free(c);
  return status == BP_END ? BP_OK : status;
}

/* Whether the step from path[i] was the jump. */
static int jumps(const instr *code, const int *path, int i)
{
  return code[path[i]].op == BRANCH && path[i + 1] == code[path[i]].target;
}

/* Runs all concrete states along the path. The index of the step where none is left, or `length`
 * when the last one, the assertion, really fails for some. */
static int replay(const instr *code, const int *path, int length)
{
  char now[STATES], next[STATES];
  memset(now, 1, sizeof now);
  for (int i = 0; i < length; i++) {
    const instr *in = &code[path[i]];
    const int last = i + 1 == length;
    int left = 0;
    memset(next, 0, sizeof next);
    for (int s = 0; s < STATES; s++) {
      if (!now[s]) continue;
      if (in->op == BRANCH && holds(s, in->a) == jumps(code, path, i)) continue;
      if (in->op == ASSERT && holds(s, in->a) == last) continue;
      next[in->op == ASSIGN ? assign(s, in->a) : s] = 1;
      left = 1;
    }
    if (!left) return i;
    memcpy(now, next, sizeof now);
  }
  return length;
}

/* New predicates: the conditions up to the step that cannot happen, and what they were about
 * earlier on the path. */
static int refine(preds *p, const instr *code, const int *path, int stuck)
{
  int added = 0;
  for (int i = stuck; i >= 0; i--) {
    if (code[path[i]].op != BRANCH && code[path[i]].op != ASSERT) continue;
    atom a = code[path[i]].a;
    added += add_pred(p, a);
    for (int j = i - 1; j >= 0; j--) {
      if (code[path[j]].op != ASSIGN) continue;
      if (!before(code[path[j]].a, a, &a)) break;
      added += add_pred(p, a);
    }
    if (added) return added; /* the least that may help: the next round brings more if it must */
  }
  return added;
}

/* ---- the loop ---------------------------------------------------------------- */

/* One round: 1 to go on. */
static int round_of(bp_context *ctx, const instr *code, preds *p, bp_status *status)
{
  bp_program *program = NULL;
  bp_trace *trace = NULL;
  bp_verdict verdict = BP_UNDECIDED;
  int path[MOST_PATH], length = 0, again = 0;

  *status = abstract(&program, ctx, p, code);
  if (*status == BP_OK) *status = bp_reachable(&verdict, &trace, ctx, NULL, program, NULL, NULL);
  if (*status == BP_OK && trace) *status = path_of(trace, program, path, &length);
  if (*status != BP_OK) {
    fprintf(stderr, "%s: %s\n", bp_status_name(*status), bp_context_message(ctx));
  } else if (verdict == BP_UNREACHABLE) {
    printf("  %d predicates: safe\n", p->count);
  } else {
    const int stuck = replay(code, path, length);
    printf("  %d predicates: lines", p->count);
    for (int i = 0; i < length; i++)
      printf(" %u", (unsigned)code[path[i]].line);
    printf(stuck == length ? ": a bug\n" : ": cannot happen\n");
    again = stuck < length && refine(p, code, path, stuck);
    if (stuck < length && !again) puts("  no new predicate: unknown");
  }
  bp_trace_unref(trace);
  bp_program_unref(program);
  return again;
}

static bp_status verify(bp_context *ctx, const char *name, const instr *code)
{
  preds p = {.count = 0};
  bp_status status = BP_OK;
  printf("%s\n", name);
  while (round_of(ctx, code, &p, &status)) {
  }
  for (int i = 0; i < p.count; i++) {
    char text[64];
    spell(p.at[i], text, sizeof text);
    printf("  %s\n", text);
  }
  return status;
}

int main(void)
{
  bp_context *ctx = NULL;
  if (bp_context_new(&ctx) != BP_OK) return 2;
  bp_status status = verify(ctx, "the loop", good);
  if (status == BP_OK) status = verify(ctx, "the loop without new++", bad);
  bp_context_unref(ctx);
  return status == BP_OK ? 0 : 2;
}
