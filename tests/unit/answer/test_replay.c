/* SPDX-License-Identifier: MIT
 * Replaying: what the engine found is an execution, and what was changed in it is none. */
#include "world.h"

#include <stdio.h>

/* Deterministic from its first step on, and every value matters: no change leaves an execution. */
static const char text[] = "decl g, k;\n"
                           "bool<1> flip(x) begin\n"
                           "  decl y;\n"
                           "  y := !x;\n"
                           "  if (y) then\n"
                           "    k := !k;\n"
                           "  else\n"
                           "    k := x;\n"
                           "  fi\n"
                           "  return y ^ k;\n"
                           "end\n"
                           "void deep(a, b) begin\n"
                           "  assume(a & !b & k);\n"
                           "  R: skip;\n"
                           "end\n"
                           "void main() begin\n"
                           "  decl b, c;\n"
                           "  g, k := 1, 0;\n"
                           "  b := flip(g);\n"
                           "  c := flip(!b);\n"
                           "  if (b = c) then\n"
                           "    g := b & c;\n"
                           "  else\n"
                           "    g := b & !c;\n"
                           "  fi\n"
                           "  k, b := g ^ k, g;\n"
                           "  if (g) then\n"
                           "    deep(g, !b);\n"
                           "  else\n"
                           "    k := g;\n"
                           "  fi\n"
                           "end\n";

static void must_replay(const world *w)
{
  const uint32_t levels[] = {0, 1, BP_NONE};
  for (uint32_t i = 0; i < 3; i++)
    assert_int_equal(bp_trace_replay(w->t, levels[i]), BP_OK);
}

static void must_refuse(const world *w, uint32_t levels, const char *change, uint32_t at)
{
  const bp_status status = bp_trace_replay(w->t, levels);
  if (status != BP_E_INTERNAL)
    fail_msg("%s of step %u: %s", change, (unsigned)at, bp_status_name(status));
  assert_non_null(strstr(bp_context_message(w->ctx), "does not replay: "));
}

/* ---- steps ---------------------------------------------------------------- */

static void drop_steps(const world *w, bpi_path *path, uint32_t levels)
{
  const uint32_t n = path->steps.count;
  for (uint32_t i = 0; i < n; i++) {
    const bpi_step gone = path->steps.at[i];
    memmove(path->steps.at + i, path->steps.at + i + 1, (n - 1 - i) * sizeof gone);
    path->steps.count--;
    must_refuse(w, levels, "loss", i);
    path->steps.count++;
    memmove(path->steps.at + i + 1, path->steps.at + i, (n - 1 - i) * sizeof gone);
    path->steps.at[i] = gone;
  }
}

static void swap_steps(const world *w, bpi_path *path, uint32_t levels)
{
  for (uint32_t i = 0; i < path->steps.count; i++)
    for (uint32_t k = i + 1; k < path->steps.count; k++) {
      const bpi_step one = path->steps.at[i], other = path->steps.at[k];
      path->steps.at[i] = other;
      path->steps.at[k] = one;
      must_refuse(w, levels, "exchange", i);
      path->steps.at[i] = one;
      path->steps.at[k] = other;
    }
}

static void repeat_steps(const world *w, bpi_path *path, uint32_t levels)
{
  for (uint32_t i = 0; i + 1 < path->steps.count; i++) {
    const bpi_step next = path->steps.at[i + 1];
    path->steps.at[i + 1] = path->steps.at[i];
    must_refuse(w, levels, "repetition", i);
    path->steps.at[i + 1] = next;
  }
}

static void move_steps(const world *w, bpi_path *path, uint32_t levels)
{
  for (uint32_t i = 0; i < path->steps.count; i++) {
    const uint32_t right = path->steps.at[i].vertex;
    for (uint32_t v = 0; v < w->cfg->vertices.count; v++) {
      if (v == right) continue;
      path->steps.at[i].vertex = v;
      must_refuse(w, levels, "place", i);
    }
    path->steps.at[i].vertex = right;
  }
}

static void turn_steps(const world *w, bpi_path *path, uint32_t levels)
{
  const uint32_t others[] = {0, 1, 2, BP_NONE};
  for (uint32_t i = 0; i < path->steps.count; i++) {
    const bpi_step right = path->steps.at[i];
    for (uint32_t k = 0; k < 4; k++) {
      /* Of a call the successor is not looked at, unless it says that the trace ends there. */
      if (others[k] == right.succ || (right.kind != BPI_STEP_PLAIN && others[k] != BP_NONE))
        continue;
      path->steps.at[i].succ = others[k];
      must_refuse(w, levels, "way", i);
    }
    path->steps.at[i].succ = right.succ;
    for (uint8_t kind = 0; kind < 3 && right.succ != BP_NONE; kind++) {
      if (kind == right.kind) continue;
      path->steps.at[i].kind = kind;
      /* A completed call that is said not to return has no record of its inside. */
      if (right.kind == BPI_STEP_PLAIN || kind == BPI_STEP_PLAIN) must_refuse(w, levels, "kind", i);
    }
    path->steps.at[i].kind = right.kind;
  }
}

/* Every value that is recorded before a step. */
static uint32_t flip_values(const world *w, bpi_path *path, uint32_t levels)
{
  const bpi_analysis *a = &w->t->e->a;
  uint32_t flips = 0;
  for (uint32_t i = 0; i < path->steps.count; i++) {
    const bpi_step *step = &path->steps.at[i];
    for (uint32_t v = 0; v < w->p->vars.count; v++) {
      const uint32_t home = w->p->vars.at[v].proc, place = a->place[v];
      if (home != BP_NONE && home != w->cfg->vertices.at[step->vertex].proc) continue;
      if (!a->var_matters[v] || !bpi_bit(bpi_live(a, step->vertex), place)) continue;
      uint64_t *word = path->words.at + step->point + place / 64;
      *word ^= (uint64_t)1 << place % 64;
      must_refuse(w, levels, "value", i);
      *word ^= (uint64_t)1 << place % 64;
      flips++;
    }
  }
  return flips;
}

static uint32_t change_all(const world *w, bpi_path *path, uint32_t levels)
{
  drop_steps(w, path, levels);
  swap_steps(w, path, levels);
  repeat_steps(w, path, levels);
  move_steps(w, path, levels);
  turn_steps(w, path, levels);
  return flip_values(w, path, levels);
}

static void test_outer_steps(void **state)
{
  (void)state;
  world w;
  world_open(&w, text, NULL, 0);
  must_replay(&w);
  assert_true(change_all(&w, w.t->path, BP_NONE) > 15);
  must_replay(&w);
  world_close(&w);
}

static void test_inner_steps(void **state)
{
  (void)state;
  world w;
  world_open(&w, text, NULL, 0);
  must_replay(&w);
  uint32_t flips = 0;
  assert_int_equal(w.t->inner_count, 2);
  for (uint32_t i = 0; i < w.t->inner_size; i++)
    if (w.t->inner[i].hash) flips += change_all(&w, w.t->inner[i].path, BP_NONE);
  assert_true(flips > 8);
  must_replay(&w);
  world_close(&w);
}

/* A call that stays closed is believed, not looked into. */
static void test_closed_calls(void **state)
{
  (void)state;
  world w;
  world_open(&w, text, NULL, 0);
  must_replay(&w);
  for (uint32_t i = 0; i < w.t->inner_size; i++)
    if (w.t->inner[i].hash) w.t->inner[i].path->steps.count--;
  assert_int_equal(bp_trace_replay(w.t, 0), BP_OK);
  must_refuse(&w, 1, "loss", 0);
  for (uint32_t i = 0; i < w.t->inner_size; i++)
    if (w.t->inner[i].hash) w.t->inner[i].path->steps.count++;
  world_close(&w);
}

/* The pair of states for which a completed call stands: another pair is another way or none. */
static void test_pairs(void **state)
{
  (void)state;
  uint32_t refused = 0;
  for (uint32_t line = 19; line <= 20; line++)
    for (uint32_t half = 0; half < 2; half++) {
      world w;
      world_open(&w, text, NULL, 0);
      const bpi_step *step = &w.t->path->steps.at[world_step(&w, w.t->path, line)];
      assert_int_equal(step->kind, BPI_STEP_CALLS);
      const uint32_t place = w.t->e->a.place[world_var(&w, NULL, "k")];
      w.t->path->words.at[step->key + half * bpi_point_words(w.t->e) + place / 64] ^= (uint64_t)1
                                                                                      << place % 64;
      refused += bp_trace_replay(w.t, 1) == BP_E_INTERNAL;
      world_close(&w);
    }
  assert_int_equal(refused, 4);
}

/* ---- beginning and end ------------------------------------------------------ */

static void test_target(void **state)
{
  (void)state;
  world w;
  world_open(&w, text, NULL, 0);
  const bpi_goal right = w.t->goal;
  w.t->goal.vertex = world_vertex(&w, 13);
  must_refuse(&w, 0, "target", 0);
  w.t->goal = right;
  /* A condition that the last state does not meet. */
  const uint32_t k = world_var(&w, NULL, "k");
  const bpi_instr not_k[] = {{.op = BPI_OP_VAR, .arg = k}, {.op = BPI_OP_NOT}};
  w.t->goal.when = not_k;
  w.t->goal.when_count = 2;
  const bp_status status = bp_trace_replay(w.t, 0);
  assert_int_equal(status, BP_E_INTERNAL);
  w.t->goal.when_count = 1;
  must_replay(&w);
  w.t->goal = right;
  world_close(&w);
}

static void test_start(void **state)
{
  (void)state;
  world w;
  world_open(&w, "decl g;\nvoid main() begin\ndecl l;\nassume(g & l);\nR: skip;\nend\n", "g & l",
             0);
  must_replay(&w);
  assert_int_equal(w.q->init.count, 3);
  const bpi_instr right = w.q->init.at[2];
  w.q->init.at[2] = (bpi_instr){.op = BPI_OP_XOR}; /* g ^ l, and both are recorded as 1 */
  must_refuse(&w, 0, "start", 0);
  w.q->init.at[2] = right;
  must_replay(&w);
  world_close(&w);
  world_open(&w, "decl g := 1;\nvoid main() begin\nassume(g);\nR: skip;\nend\n", NULL, 0);
  must_replay(&w);
  assert_int_equal(flip_values(&w, w.t->path, 0), 1);
  world_close(&w);
}

/* What the start asks of variables that the trace does not record can be so. */
static void test_unrecorded_start(void **state)
{
  (void)state;
  world w;
  world_open(&w, "decl g, h;\nvoid main() begin\nassume(g);\nR: skip;\nend\n", "g & (h | !h) & h",
             0);
  must_replay(&w);
  world_close(&w);
}

/* Nothing but the condition itself tells that a free start was another one. */
static void test_conditions(void **state)
{
  (void)state;
  const char *const conditions[] = {"assume(g);", "abortif(!g);", "if (!g) then assume(0); fi",
                                    "while (!g) do assume(0); od"};
  for (uint32_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
    char source[200];
    world w;
    snprintf(source, sizeof source, "decl g;\nvoid main() begin\n%s\nR: skip;\nend\n",
             conditions[i]);
    world_open(&w, source, NULL, 0);
    must_replay(&w);
    assert_int_equal(flip_values(&w, w.t->path, 0), 1);
    world_close(&w);
  }
}

/* Constraints, havoc and choices. */
static void test_choices(void **state)
{
  (void)state;
  world w;
  world_open(&w,
             "decl a, b;\nvoid main() begin\na, b := *, * constrain 'a & !'b;\n"
             "if (*) then\nb := schoose[a, 0];\nelse\na := 0;\nfi\nassume(a & b);\nR: skip;\nend\n",
             NULL, 0);
  must_replay(&w);
  assert_int_equal(w.t->path->steps.count, 5);
  flip_values(&w, w.t->path, 0);
  drop_steps(&w, w.t->path, 0);
  turn_steps(&w, w.t->path, 0);
  world_close(&w);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_outer_steps),      cmocka_unit_test(test_inner_steps),
      cmocka_unit_test(test_closed_calls),     cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_target),           cmocka_unit_test(test_start),
      cmocka_unit_test(test_unrecorded_start), cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_choices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
