/* SPDX-License-Identifier: MIT */
#include "engine/stage.h"

enum {
  MOST_STAGES = 256, /* of a body */
  MOST_TURNS = 16    /* of a stage */
};

static void be_at(bpi_instance *in, bpi_stage *stage)
{
  in->stage = stage;
  in->facts = stage->facts;
  in->entries = stage->entries;
  in->summary = stage->summary;
}

/* The nodes with a delta. */
static uint64_t waiting_in(const bpi_instance *in)
{
  uint64_t waiting = 0;
  for (uint32_t n = 0; n < in->body->node_count; n++)
    waiting |= (uint64_t)(in->facts[n].delta != BPI_FALSE) << n;
  return waiting;
}

/* A stage from what the instance knows; NULL: there is no room, and the instance keeps it. */
static bpi_stage *new_stage(bpi_instance *in)
{
  bpi_body *body = in->body;
  if (body->stages.count == MOST_STAGES || !bpi_vec_reserve(&body->stages, 1)) return NULL;
  bpi_stage *stage = bpi_zalloc(1, sizeof *stage);
  if (!stage) return NULL;
  stage->facts = in->facts;
  stage->entries = in->entries;
  stage->summary = in->summary;
  stage->waiting = waiting_in(in);
  body->stages.at[body->stages.count++] = stage;
  return stage;
}

void bpi_stage_begin(bpi_engine *e, bpi_instance *in)
{
  bpi_body *body = bpi_body_of(e, in->proc);
  if (!body || e->a.twin[in->proc] == BP_NONE || body->words != 1 ||
      e->cfg->procs.at[in->proc].recursive || bpi_enters_singles(e, in->proc))
    return;
  if (!body->stages.count) {
    if (!bpi_make_facts(e, in)) return;
    if (!new_stage(in)) return;
  }
  be_at(in, body->stages.at[0]);
}

static bpi_turn *find(const bpi_stage *stage, uint32_t node, bpi_bdd told)
{
  for (uint32_t i = 0; i < stage->turns.count; i++)
    if (stage->turns.at[i].node == node && stage->turns.at[i].told == told)
      return &stage->turns.at[i];
  return NULL;
}

bpi_turn *bpi_stage_turn(const bpi_instance *in, uint32_t node, bpi_bdd told)
{
  return find(in->stage, node, told);
}

/* The turn that comes next whatever happens elsewhere, NULL: there is none, or it is not known. */
static const bpi_turn *plain_turn(const bpi_body *body, const bpi_stage *stage)
{
  if (!stage->waiting) return NULL;
  const uint32_t node = (uint32_t)__builtin_ctzll(stage->waiting);
  return body->plain >> node & 1 ? find(stage, node, BPI_FALSE) : NULL;
}

void bpi_stage_take(bpi_engine *e, bpi_instance *in, bpi_turn *turn)
{
  for (const bpi_turn *more; (more = plain_turn(in->body, turn->next));)
    turn->next = more->next; /* for all that come after it, too */
  be_at(in, turn->next);
  in->waiting &= ~in->body->plain;
  bpi_queue_nodes(e, in, turn->next->waiting);
}

bool bpi_stage_leave(bpi_engine *e, bpi_instance *in)
{
  const bpi_stage *stage = in->stage;
  if (!stage) return true;
  if (!bpi_make_facts(e, in)) return false;
  const bpi_lifted *lifts = (const bpi_lifted *)(const void *)(stage->facts + in->body->node_count);
  for (uint32_t n = 0; n < in->body->node_count; n++)
    in->facts[n] = (bpi_fact){bpi_bdd_keep(e->m, stage->facts[n].path_edges),
                              bpi_bdd_keep(e->m, stage->facts[n].delta)};
  for (uint32_t k = 0; k < in->body->call_count; k++)
    bpi_lifts(in)[k] = (bpi_lifted){.lift = bpi_bdd_keep(e->m, lifts[k].lift),
                                    .summary = bpi_bdd_keep(e->m, lifts[k].summary)};
  in->entries = bpi_bdd_keep(e->m, stage->entries);
  in->summary = bpi_bdd_keep(e->m, stage->summary);
  in->stage = NULL;
  return true;
}

void bpi_stage_note(bpi_engine *e, bpi_instance *in, bpi_stage *from, bpi_turn turn)
{
  if (from->turns.count == MOST_TURNS || !bpi_vec_reserve(&from->turns, 1)) return;
  turn.next = in->stage ? in->stage : new_stage(in);
  if (!turn.next) return;
  turn.told = bpi_bdd_keep(e->m, turn.told);
  turn.contexts = bpi_bdd_keep(e->m, turn.contexts);
  from->turns.at[from->turns.count++] = turn;
  be_at(in, turn.next);
}

void bpi_stages_free(bpi_engine *e, bpi_body *body)
{
  for (uint32_t i = 0; i < body->stages.count; i++) {
    bpi_stage *stage = body->stages.at[i];
    for (uint32_t t = 0; t < stage->turns.count; t++) {
      bpi_bdd_drop(e->m, stage->turns.at[t].told);
      bpi_bdd_drop(e->m, stage->turns.at[t].contexts);
    }
    bpi_vec_free(&stage->turns);
    bpi_facts_free(e, body, stage->facts);
    bpi_bdd_drop(e->m, stage->entries);
    bpi_bdd_drop(e->m, stage->summary);
    bpi_release(stage);
  }
  bpi_vec_free(&body->stages);
}
