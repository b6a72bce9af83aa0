/* SPDX-License-Identifier: MIT */
#include "cfg/influence.h"

enum { WHOLE = 1 << 20 }; /* what the dependences of one node weigh together */

bool bpi_influence_begin(bpi_influence *f, bpi_depends *d)
{
  *f = (bpi_influence){.a = d->a,
                       .nodes = d->p->vars.count + d->a->result_first[d->p->procs.count],
                       .first = d->first,
                       .on = d->sorted};
  d->first = d->sorted = NULL;
  f->weight = bpi_alloc(f->nodes, sizeof *f->weight);
  if (f->weight) return true;
  bpi_influence_end(f);
  return false;
}

void bpi_influence_end(bpi_influence *f)
{
  bpi_release(f->first);
  bpi_release(f->on);
  bpi_release(f->weight);
  bpi_vec_free(&f->open);
  *f = (bpi_influence){.nodes = 0};
}

static bool matters(const bpi_influence *f, uint32_t node)
{
  const uint32_t vars = f->a->cfg->program->vars.count;
  return node < vars ? f->a->var_matters[node] : f->a->result_matters[node - vars];
}

/* A node that depends on little says more of each than one that depends on much. */
static bool take(bpi_influence *f, uint32_t node, uint8_t *taken)
{
  const uint32_t first = f->first[node], end = f->first[node + 1];
  taken[node] = 1;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t on = f->on[i];
    if (taken[on] || !matters(f, on)) continue;
    if (!f->weight[on] && !bpi_vec_push(&f->open, on)) return false;
    f->weight[on] += WHOLE / (end - first) + 1;
  }
  return true;
}

/* Removes and returns the one of most weight; BP_NONE: there is none. */
static uint32_t heaviest(bpi_influence *f)
{
  if (!f->open.count) return BP_NONE;
  uint32_t best = 0;
  for (uint32_t i = 1; i < f->open.count; i++) {
    const uint32_t a = f->open.at[i], b = f->open.at[best];
    if (f->weight[a] > f->weight[b] || (f->weight[a] == f->weight[b] && a < b)) best = i;
  }
  const uint32_t node = f->open.at[best];
  f->open.at[best] = f->open.at[--f->open.count];
  return node;
}

uint32_t bpi_influence_of(bpi_influence *f, uint32_t variable, uint32_t size, uint8_t *taken)
{
  const uint32_t vars = f->a->cfg->program->vars.count;
  uint32_t count = 0;
  memset(f->weight, 0, f->nodes * sizeof *f->weight);
  memset(taken, 0, f->nodes);
  f->open.count = 0;
  for (uint32_t node = variable; node != BP_NONE && count < size; node = heaviest(f)) {
    if (!take(f, node, taken)) return 0;
    count += node < vars;
  }
  return count;
}
