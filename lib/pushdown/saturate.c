/* SPDX-License-Identifier: MIT */
#include "pushdown/saturate.h"

static bool push(bpi_saturation *s, uint32_t transition)
{
  /* A queue that never runs empty gives back the room of what has left it. */
  if (s->head > 1024 && s->head > s->queue.count / 2) {
    s->queue.count -= s->head;
    memmove(s->queue.at, s->queue.at + s->head, s->queue.count * sizeof *s->queue.at);
    s->head = 0;
  }
  return bpi_vec_push(&s->queue, transition) || bpi_run_no_memory(s->run);
}

bool bpi_saturation_begin(bpi_saturation *s, bpi_run *run, const bp_configurations *from)
{
  const uint32_t rules = run->p->rules.count;
  *s = (bpi_saturation){.run = run};
  s->c = bpi_set_copy(run, from);
  s->factors = bpi_zalloc(rules, sizeof *s->factors);
  if (!s->c || !s->factors) return bpi_run_no_memory(run);
  for (uint32_t i = 0; i < s->c->transitions.count; i++) {
    const bpi_bdd rel = s->c->transitions.at[i].rel;
    if (!bpi_vec_push(&s->news, BPI_FALSE)) return bpi_run_no_memory(run);
    if (rel == BPI_FALSE) continue;
    s->news.at[i] = bpi_bdd_keep(run->m, rel);
    if (!push(s, i)) return false;
  }
  return true;
}

bp_configurations *bpi_saturation_end(bpi_saturation *s)
{
  bp_configurations *c = s->c;
  for (uint32_t i = 0; i < s->news.count; i++)
    bpi_bdd_drop(s->run->m, s->news.at[i]);
  bpi_vec_free(&s->news);
  bpi_vec_free(&s->queue);
  for (uint32_t i = 0; s->factors && i < s->run->p->rules.count; i++)
    bpi_factors_free(s->run, &s->factors[i]);
  bpi_release(s->factors);
  if (bpi_run_good(s->run)) return c;
  bp_configurations_unref(c);
  return NULL;
}

bpi_bdd bpi_saturation_news(bpi_saturation *s, bpi_bdd *all, bpi_bdd set)
{
  bp_manager *m = s->run->m;
  const bpi_bdd news = bpi_bdd_diff(m, set, *all);
  bpi_bdd_drop(m, set);
  if (news != BPI_FALSE) bpi_run_join(s->run, all, bpi_bdd_keep(m, news));
  return news;
}

void bpi_saturation_add(bpi_saturation *s, uint32_t from, uint32_t symbol, uint32_t to, bpi_bdd rel)
{
  bpi_run *run = s->run;
  if (rel == BPI_FALSE) return;
  if (!bpi_run_good(run)) {
    bpi_bdd_drop(run->m, rel);
    return;
  }
  const uint32_t id = bpi_set_transition(s->c, from, symbol, to);
  if (id == BP_NONE || (id == s->news.count && !bpi_vec_push(&s->news, BPI_FALSE))) {
    bpi_run_no_memory(run);
    bpi_bdd_drop(run->m, rel);
    return;
  }
  const bpi_bdd news = bpi_saturation_news(s, &s->c->transitions.at[id].rel, rel);
  if (news == BPI_FALSE) return;
  if (s->news.at[id] == BPI_FALSE) push(s, id);
  bpi_run_join(run, &s->news.at[id], news);
}

uint32_t bpi_saturation_take(bpi_saturation *s, bpi_bdd *news)
{
  *news = BPI_FALSE;
  if (s->head == s->queue.count || !bpi_run_good(s->run)) return BP_NONE;
  const uint32_t id = s->queue.at[s->head++];
  *news = s->news.at[id];
  s->news.at[id] = BPI_FALSE;
  return id;
}

bpi_bdd bpi_saturation_image(bpi_saturation *s, uint32_t rule, const bpi_application *how,
                             bpi_bdd at)
{
  bpi_factors *factors = &s->factors[rule];
  const bpi_rule *r = &s->run->p->rules.at[rule];
  if (!factors->count) bpi_rule_factors(s->run, r, how->view, how->set, factors);
  return bpi_run_good(s->run) ? bpi_factors_image(s->run, r, how->view, factors, at, how->rename)
                              : BPI_FALSE;
}
