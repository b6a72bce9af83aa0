/* SPDX-License-Identifier: MIT */
#include "temporal/translate.h"
#include "temporal/automaton.h"
#include "temporal/print.h"

enum { MOST_STATES = 100000, MOST_COPIES = 200 };

/* ---- the best of several ----------------------------------------------- */

static bool try_postponing(bpi_graph *best, bpi_translation *t, uint32_t root, uint32_t size)
{
  bpi_graph other = {.labels = t->labels};
  bool fits, good = bpi_translate(&other, t, root, BPI_TACTIC_POSTPONE, 2 * size + 8, &fits);
  if (good && fits) {
    good = bpi_graph_reduce(&other);
    if (good && bpi_graph_better(&other, best)) bpi_graph_move(best, &other);
  }
  bpi_graph_free(&other);
  return good;
}

/* Levels that stand for sets may merge what several sets keep apart. */
static bool try_one_set(bpi_graph *best)
{
  bpi_graph other;
  if (best->sets < 2 || (uint64_t)best->states * best->sets > MOST_COPIES) return true;
  const bool good = bpi_graph_copy(&other, best) && bpi_graph_degeneralize(&other);
  if (good && bpi_graph_better(&other, best)) bpi_graph_move(best, &other);
  bpi_graph_free(&other);
  return good;
}

static bool try_obligation(bpi_graph *best, bpi_translation *t, uint32_t root)
{
  bpi_graph other = {.labels = t->labels};
  bool found, good = bpi_obligation(&other, t, root, best, &found);
  if (good && found && bpi_graph_better(&other, best)) bpi_graph_move(best, &other);
  bpi_graph_free(&other);
  return good;
}

static bool translate_plain(bpi_graph *out, bpi_translation *t, uint32_t root)
{
  bool fits;
  if (!bpi_translate(out, t, root, BPI_TACTIC_PLAIN, t->most_states, &fits)) return false;
  return fits || bpi_job_too_large(t->job, BP_E_LIMIT, "states", t->most_states);
}

bool bpi_translate_best(bpi_graph *out, bpi_translation *t, uint32_t root)
{
  if (!translate_plain(out, t, root)) return false;
  const uint32_t size = out->states;
  return bpi_graph_reduce(out) && try_postponing(out, t, root, size) &&
         try_obligation(out, t, root) && try_one_set(out);
}

/* ---- a formula --------------------------------------------------------- */

typedef BPI_VEC(char) chars;

static int collect(void *user, const char *bytes, size_t len)
{
  chars *text = user;
  if (text->count + len > 1000) return 1;
  if (!bpi_vec_reserve(text, (uint32_t)len + 1)) return 1;
  memcpy(text->at + text->count, bytes, len);
  text->count += (uint32_t)len;
  text->at[text->count] = '\0';
  return 0;
}

/* The formula as text when that is short, or "". */
static char *name_of(const bp_formula *f)
{
  chars text = {0};
  const bp_sink sink = {.size = sizeof sink, .write = collect, .user = &text};
  if (bp_formula_write(f, &sink) == BP_OK && text.at) return text.at;
  bpi_vec_free(&text);
  return bpi_strndup("", 0);
}

static bool translate(bp_automaton **out, bpi_translation *t, uint32_t root,
                      const bp_automaton_options *o, const char *name)
{
  bpi_graph g = {.labels = t->labels};
  const bool one = o->degeneralize != 0;
  bool good = o->raw ? translate_plain(&g, t, root) : bpi_translate_parts(&g, t, root, one);
  good = good && (!one || bpi_graph_degeneralize(&g));
  good = good && bpi_automaton_make(out, &g, t->ltl, false, name);
  bpi_graph_free(&g);
  return good;
}

/* Leaves the atoms behind that the simplified formula does not have. */
static uint32_t simplified(bpi_ltl *to, const bp_formula *f, bpi_job *job)
{
  bpi_ltl work;
  uint32_t root = BP_NONE;
  if (bpi_ltl_init(&work, job)) {
    root = bpi_ltl_copy(&work, &f->ltl, f->root);
    if (root != BP_NONE) root = bpi_ltl_simplify(&work, root);
    if (root != BP_NONE) root = bpi_ltl_copy(to, &work, root);
  }
  bpi_ltl_free(&work);
  return root;
}

static void from_formula(bp_automaton **out, bpi_job *job, const bp_formula *f,
                         const bp_automaton_options *o, const char *name)
{
  bpi_ltl ltl;
  bpi_simplifier simple = {0};
  bpi_labels labels = {0};
  bpi_translation t = {.job = job, .ltl = &ltl, .simple = &simple, .labels = &labels};
  t.most_states = o->states ? o->states : MOST_STATES;
  if (bpi_ltl_init(&ltl, job) && bpi_simplifier_init(&simple, &ltl) &&
      bpi_labels_init(&labels, job)) {
    uint32_t root = simplified(&ltl, f, job);
    t.aps = ltl.atoms.count;
    if (t.aps > BP_AUTOMATON_MAX_APS)
      bpi_job_too_large(job, BP_E_UNSUPPORTED, "propositions", BP_AUTOMATON_MAX_APS);
    else if (root != BP_NONE && (root = bpi_gather(&t, root)) != BP_NONE)
      translate(out, &t, root, o, name);
  }
  bpi_labels_free(&labels);
  bpi_simplifier_free(&simple);
  bpi_ltl_free(&ltl);
}

bp_status bp_automaton_from_formula(bp_automaton **out, bp_context *ctx, const bp_formula *formula,
                                    const bp_automaton_options *options)
{
  static const bp_automaton_options defaults = {.size = sizeof defaults};
  if (out) *out = NULL;
  if (!ctx) return BP_E_INVALID;
  if (!out || !formula) return bpi_invalid(ctx, "%s is NULL", out ? "formula" : "out");
  if (options && options->size != sizeof *options)
    return bpi_invalid(ctx, "options->size is not sizeof(bp_automaton_options)");
  bpi_job job;
  bpi_job_begin(&job, ctx);
  char *name = name_of(formula);
  if (!name) return bpi_no_memory(ctx);
  from_formula(out, &job, formula, options ? options : &defaults, name);
  bpi_release(name);
  return bpi_job_end(&job, "translating a formula");
}

/* ---- other automata ---------------------------------------------------- */

static bp_status changed(bp_automaton **out, bp_context *ctx, const bp_automaton *a,
                         bool (*change)(bpi_graph *g), const char *doing)
{
  bpi_job job;
  bpi_labels labels;
  bpi_graph g = {0};
  bpi_job_begin(&job, ctx);
  if (bpi_labels_init(&labels, &job) && bpi_automaton_thaw(&g, &labels, a, NULL) && change(&g) &&
      bpi_automaton_make(out, &g, &a->atoms, false, a->name))
    bpi_automaton_keep_source(out, &job, a->source, a->source_len);
  bpi_graph_free(&g);
  bpi_labels_free(&labels);
  return bpi_job_end(&job, doing);
}

#define CHECK(out, ctx, a)                                                                         \
  do {                                                                                             \
    if (out) *(out) = NULL;                                                                        \
    if (!(ctx)) return BP_E_INVALID;                                                               \
    if (!(out) || !(a)) return bpi_invalid(ctx, "%s is NULL", (out) ? "automaton" : "out");        \
  } while (0)

bp_status bp_automaton_reduce(bp_automaton **out, bp_context *ctx, const bp_automaton *automaton)
{
  CHECK(out, ctx, automaton);
  return changed(out, ctx, automaton, bpi_graph_reduce, "reducing an automaton");
}

bp_status bp_automaton_degeneralize(bp_automaton **out, bp_context *ctx,
                                    const bp_automaton *automaton)
{
  CHECK(out, ctx, automaton);
  return changed(out, ctx, automaton, bpi_graph_degeneralize, "degeneralizing an automaton");
}

/* ---- intersection ------------------------------------------------------ */

/* The atoms of both, and for each automaton which of them its propositions are. */
static bool take_atoms(bpi_ltl *atoms, const bp_automaton *a, uint32_t *map)
{
  for (uint32_t i = 0; i < a->atoms.atoms.count; i++) {
    const bpi_atom *atom = &a->atoms.atoms.at[i];
    const char *proc = a->atoms.chars.at + atom->proc, *text = a->atoms.chars.at + atom->text;
    const uint32_t node = bpi_ltl_atom(atoms, (bp_atom_kind)atom->kind, proc, strlen(proc), text,
                                       strlen(text), &atom->range);
    if (node == BP_NONE) return false;
    map[i] = atoms->nodes.at[node].first;
    if (map[i] >= BP_AUTOMATON_MAX_APS)
      return bpi_job_too_large(atoms->job, BP_E_UNSUPPORTED, "propositions", BP_AUTOMATON_MAX_APS);
  }
  return true;
}

static void intersect(bp_automaton **out, bpi_job *job, const bp_automaton *one,
                      const bp_automaton *other)
{
  bpi_labels labels = {0};
  bpi_ltl atoms;
  bpi_graph x = {0}, y = {0}, both = {0};
  uint32_t map_x[BP_AUTOMATON_MAX_APS], map_y[BP_AUTOMATON_MAX_APS];
  if (bpi_ltl_init(&atoms, job) && bpi_labels_init(&labels, job) &&
      take_atoms(&atoms, one, map_x) && take_atoms(&atoms, other, map_y) &&
      bpi_automaton_thaw(&x, &labels, one, map_x) &&
      bpi_automaton_thaw(&y, &labels, other, map_y) &&
      bpi_graph_intersect(&both, &x, &y, UINT32_MAX - 1) && bpi_graph_prune(&both) &&
      bpi_graph_fewer_sets(&both))
    bpi_automaton_make(out, &both, &atoms, false, "");
  bpi_graph_free(&x);
  bpi_graph_free(&y);
  bpi_graph_free(&both);
  bpi_labels_free(&labels);
  bpi_ltl_free(&atoms);
}

bp_status bp_automaton_intersect(bp_automaton **out, bp_context *ctx, const bp_automaton *one,
                                 const bp_automaton *other)
{
  CHECK(out, ctx, one);
  if (!other) return bpi_invalid(ctx, "other is NULL");
  bpi_job job;
  bpi_job_begin(&job, ctx);
  if (one->sets + other->sets > BP_AUTOMATON_MAX_SETS)
    bpi_job_too_large(&job, BP_E_UNSUPPORTED, "acceptance sets", BP_AUTOMATON_MAX_SETS);
  else
    intersect(out, &job, one, other);
  return bpi_job_end(&job, "intersecting automata");
}
