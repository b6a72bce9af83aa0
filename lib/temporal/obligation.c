/* SPDX-License-Identifier: MIT */
#include "temporal/powerset.h"
#include "temporal/translate.h"

/* The states of a powerset, and of an automaton that is worth the attempt. */
enum { MOST = 1000, SURE = 2000, UNSURE = 60 };

static bool is_empty_product(const bpi_graph *a, const bpi_graph *b, bool *empty)
{
  bpi_graph both;
  bool good = bpi_graph_intersect(&both, a, b, UINT32_MAX - 1) && bpi_graph_prune(&both);
  *empty = good && bpi_graph_is_empty(&both);
  bpi_graph_free(&both);
  return good;
}

/* Whether the weak automaton accepts what the formula says: it has no word in common with the
 * negation, and none of the formula is outside. */
static bool is_right(bpi_translation *t, const bpi_powerset *p, uint32_t root, const bpi_graph *g,
                     bool *right)
{
  bpi_graph inside = {.labels = t->labels}, outside = {.labels = t->labels};
  bpi_graph negation = {.labels = t->labels};
  bool fits, good = bpi_weak_graph(&outside, p, true) && is_empty_product(g, &outside, right);
  if (good && *right) {
    const uint32_t no = bpi_simple_not(t->simple, root);
    good = no != BP_NONE && bpi_translate(&negation, t, no, BPI_TACTIC_PLAIN, MOST, &fits);
    *right = good && fits;
  }
  if (good && *right)
    good = bpi_graph_prune(&negation) && bpi_weak_graph(&inside, p, false) &&
           is_empty_product(&inside, &negation, right);
  bpi_graph_free(&inside);
  bpi_graph_free(&outside);
  bpi_graph_free(&negation);
  return good;
}

static bool is_obligation(bpi_translation *t, uint32_t root, bool *sure)
{
  uint8_t *classes = bpi_ltl_classes(t->ltl);
  if (!classes) return bpi_job_no_memory(t->job);
  *sure = classes[root] & BP_CLASS_OBLIGATION;
  bpi_release(classes);
  return true;
}

bool bpi_obligation(bpi_graph *out, bpi_translation *t, uint32_t root, const bpi_graph *g,
                    bool *found)
{
  bool sure = false, fits = true;
  bpi_powerset p = {.graph = {.labels = t->labels}};
  *found = false;
  if (!is_obligation(t, root, &sure)) return false;
  if (g->states > (sure ? SURE : UNSURE)) return true;
  bool good = bpi_powerset_build(&p, g, MOST, &fits);
  if (good && fits) {
    *found = sure;
    good = bpi_weak_accepting(&p, g, t->aps) && (sure || is_right(t, &p, root, g, found)) &&
           (!*found || bpi_weak_minimize(out, &p));
  }
  bpi_powerset_free(&p);
  return good;
}
