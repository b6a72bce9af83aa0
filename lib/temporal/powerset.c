/* SPDX-License-Identifier: MIT
 * Dax, Eisinger & Klaedtke, "Mechanizing the Powerset Construction for Restricted Classes of
 * omega-Automata", ATVA 2007. */
#include "base/hash.h"
#include "temporal/powerset.h"

enum { MOST_BLOCKS = 2048, MOST_EDGES = 20000 };

/* Letters that lead to one set. */
typedef struct block {
  uint32_t label;
  uint32_t row; /* of the rows of a builder */
} block;

typedef struct builder {
  bpi_powerset *p;
  const bpi_graph *g;
  BPI_VEC(block) blocks;
  BPI_VEC(uint64_t) rows;
  uint32_t *slots; /* number + 1, 0: free */
  uint32_t slot_count;
} builder;

void bpi_powerset_free(bpi_powerset *p)
{
  bpi_graph_free(&p->graph);
  bpi_vec_free(&p->members);
  bpi_release(p->accepting);
  p->accepting = NULL;
}

/* ---- sets as states ---------------------------------------------------- */

static uint64_t *members_of(const bpi_powerset *p, uint32_t state)
{
  return p->members.at + (size_t)state * p->words;
}

static uint32_t slot_of(const builder *b, const uint64_t *row)
{
  const size_t bytes = b->p->words * sizeof *row;
  uint32_t at = (uint32_t)bpi_hash_u64(bpi_hash_bytes(BPI_HASH_START, row, bytes), 0);
  for (at &= b->slot_count - 1; b->slots[at]; at = (at + 1) & (b->slot_count - 1))
    if (!memcmp(members_of(b->p, b->slots[at] - 1), row, bytes)) break;
  return at;
}

static bool make_room(builder *b)
{
  bpi_powerset *p = b->p;
  if ((uint64_t)p->graph.states * 3 < (uint64_t)b->slot_count * 2) return true;
  const uint32_t size = b->slot_count ? 2 * b->slot_count : 64;
  uint32_t *slots = size > b->slot_count ? bpi_zalloc(size, sizeof *slots) : NULL;
  if (!slots) return false;
  bpi_release(b->slots);
  b->slots = slots;
  b->slot_count = size;
  for (uint32_t i = 0; i < p->graph.states; i++)
    b->slots[slot_of(b, members_of(p, i))] = i + 1;
  return true;
}

/* The state of a set; `row` does not lie in `members`. */
static uint32_t state_of(builder *b, const uint64_t *row)
{
  bpi_powerset *p = b->p;
  if (!make_room(b) || !bpi_vec_reserve(&p->members, p->words)) {
    bpi_job_no_memory(b->g->labels->job);
    return BP_NONE;
  }
  const uint32_t slot = slot_of(b, row);
  if (!b->slots[slot]) {
    memcpy(p->members.at + p->members.count, row, p->words * sizeof *row);
    p->members.count += p->words;
    b->slots[slot] = ++p->graph.states;
  }
  return b->slots[slot] - 1;
}

/* ---- successors -------------------------------------------------------- */

static bool add_block(builder *b, uint32_t label, uint32_t like, uint32_t member)
{
  const uint32_t words = b->p->words, row = b->rows.count;
  if (!bpi_vec_push(&b->blocks, (block){label, row}) || !bpi_vec_reserve(&b->rows, words))
    return bpi_job_no_memory(b->g->labels->job);
  if (like == BP_NONE)
    memset(b->rows.at + row, 0, words * sizeof *b->rows.at);
  else
    memcpy(b->rows.at + row, b->rows.at + like, words * sizeof *b->rows.at);
  b->rows.count += words;
  if (member != BP_NONE) b->rows.at[row + member / 64] |= (uint64_t)1 << member % 64;
  return true;
}

/* Splits the blocks by an edge: the part inside its label gets its target. */
static bool split(builder *b, const bpi_edge *e)
{
  bpi_labels *labels = b->g->labels;
  const uint32_t count = b->blocks.count;
  for (uint32_t i = 0; i < count; i++) {
    const block old = b->blocks.at[i];
    if (b->rows.at[old.row + e->to / 64] >> e->to % 64 & 1) continue;
    const uint32_t inside = bpi_label_and(labels, old.label, e->label);
    if (inside == BPI_LABEL_FALSE) continue;
    if (inside == old.label) {
      b->rows.at[old.row + e->to / 64] |= (uint64_t)1 << e->to % 64;
      continue;
    }
    b->blocks.at[i].label = bpi_label_minus(labels, old.label, e->label);
    if (!add_block(b, inside, old.row, e->to)) return false;
  }
  return bpi_job_going(labels->job);
}

static bool expand(builder *b, uint32_t state, bool *fits)
{
  const bpi_graph *g = b->g;
  b->blocks.count = b->rows.count = 0;
  if (!add_block(b, BPI_LABEL_TRUE, BP_NONE, BP_NONE)) return false;
  for (uint32_t s = 0; s < g->states; s++) {
    if (!(members_of(b->p, state)[s / 64] >> s % 64 & 1)) continue;
    for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
      if (!split(b, &g->edges.at[i])) return false;
      *fits = *fits && b->blocks.count <= MOST_BLOCKS;
      if (!*fits) return true;
    }
  }
  for (uint32_t i = 0; i < b->blocks.count; i++) {
    const uint32_t to = state_of(b, b->rows.at + b->blocks.at[i].row);
    if (to == BP_NONE || !bpi_graph_add(&b->p->graph, state, to, b->blocks.at[i].label, 0))
      return false;
  }
  return true;
}

static bool start(builder *b)
{
  const bpi_graph *g = b->g;
  if (!add_block(b, BPI_LABEL_TRUE, BP_NONE, BP_NONE)) return false;
  for (uint32_t i = 0; i < g->initial.count; i++)
    b->rows.at[g->initial.at[i] / 64] |= (uint64_t)1 << g->initial.at[i] % 64;
  const uint32_t state = state_of(b, b->rows.at);
  if (state == BP_NONE) return false;
  return bpi_vec_push(&b->p->graph.initial, state) || bpi_job_no_memory(g->labels->job);
}

bool bpi_powerset_build(bpi_powerset *p, const bpi_graph *g, uint32_t most, bool *fits)
{
  builder b = {.p = p, .g = g};
  *p = (bpi_powerset){.graph = {.labels = g->labels}, .words = g->states / 64 + 1};
  *fits = true;
  bool good = start(&b);
  for (uint32_t s = 0; good && *fits && s < p->graph.states; s++) {
    good = expand(&b, s, fits);
    *fits = *fits && p->graph.states <= most && p->graph.edges.count <= MOST_EDGES;
  }
  good = good && (!*fits || bpi_graph_sort(&p->graph));
  bpi_vec_free(&b.blocks);
  bpi_vec_free(&b.rows);
  bpi_release(b.slots);
  return good;
}

/* ---- acceptance of components ------------------------------------------ */

typedef struct judge {
  bpi_powerset *p;
  const bpi_graph *g;
  bpi_sccs sccs;
  uint32_t *via; /* by state: the edge by which a search came, or BP_NONE */
  bpi_ids queue;
  bpi_ids letters; /* one label of a single letter for each step of a loop */
  uint32_t aps;
} judge;

/* One letter of a label, as a label. */
static uint32_t one_letter(judge *j, uint32_t label)
{
  bpi_labels *t = j->g->labels;
  uint32_t letter = BPI_LABEL_TRUE;
  for (uint32_t var = 0; var < j->aps; var++) {
    const bpi_label_node n = t->nodes.at[label];
    const bool here = n.var == var, high = here && n.low == BPI_LABEL_FALSE;
    if (here) label = high ? n.high : n.low;
    const uint32_t literal = bpi_label_var(t, var);
    letter = bpi_label_and(t, letter, high ? literal : bpi_label_not(t, literal));
  }
  return letter;
}

/* Finds a loop through `state` inside its component: its letters, the last one first. */
static bool find_loop(judge *j, uint32_t state)
{
  const bpi_graph *d = &j->p->graph;
  memset(j->via, 0xff, d->states * sizeof *j->via);
  j->queue.count = j->letters.count = 0;
  if (!bpi_vec_push(&j->queue, state)) return bpi_job_no_memory(d->labels->job);
  for (uint32_t at = 0; at < j->queue.count && j->via[state] == BP_NONE; at++) {
    const uint32_t s = j->queue.at[at];
    for (uint32_t i = d->first[s]; i < d->first[s + 1]; i++) {
      const uint32_t to = d->edges.at[i].to;
      if (j->sccs.of[to] != j->sccs.of[state] || j->via[to] != BP_NONE) continue;
      j->via[to] = i;
      if (!bpi_vec_push(&j->queue, to)) return bpi_job_no_memory(d->labels->job);
    }
  }
  uint32_t at = state;
  do {
    const bpi_edge *e = &d->edges.at[j->via[at]];
    if (!bpi_vec_push(&j->letters, one_letter(j, e->label)))
      return bpi_job_no_memory(d->labels->job);
    at = e->from;
  } while (at != state);
  return true;
}

/* The old automaton along the loop: a state for each of its states and each step. */
static bool accepts_loop(judge *j, uint32_t state, bool *accepts)
{
  const bpi_graph *g = j->g;
  bpi_graph run = {.labels = g->labels, .sets = g->sets};
  const uint32_t length = j->letters.count;
  bool good = true;
  run.states = g->states * length;
  for (uint32_t s = 0; good && s < g->states; s++)
    if (members_of(j->p, state)[s / 64] >> s % 64 & 1)
      good = bpi_vec_push(&run.initial, s * length) || bpi_job_no_memory(g->labels->job);
  for (uint32_t i = 0; good && i < g->edges.count; i++)
    for (uint32_t at = 0; good && at < length; at++) {
      const bpi_edge *e = &g->edges.at[i];
      const uint32_t letter = j->letters.at[length - 1 - at];
      if (bpi_label_and(g->labels, e->label, letter) != BPI_LABEL_FALSE)
        good = bpi_graph_add(&run, e->from * length + at, e->to * length + (at + 1) % length,
                             BPI_LABEL_TRUE, e->sets);
    }
  good = good && bpi_graph_sort(&run) && bpi_graph_prune(&run);
  *accepts = good && !bpi_graph_is_empty(&run);
  bpi_graph_free(&run);
  return good;
}

static bool judge_all(judge *j, uint8_t *known)
{
  bpi_powerset *p = j->p;
  for (uint32_t s = 0; s < p->graph.states; s++) {
    const uint32_t scc = j->sccs.of[s];
    bool accepts = false;
    if (j->sccs.loops[scc] && !known[scc]) {
      if (!find_loop(j, s) || !accepts_loop(j, s, &accepts)) return false;
      known[scc] = accepts ? 2 : 1;
    }
    p->accepting[s] = known[scc] == 2;
  }
  return true;
}

bool bpi_weak_accepting(bpi_powerset *p, const bpi_graph *g, uint32_t aps)
{
  judge j = {.p = p, .g = g, .aps = aps};
  if (!bpi_sccs_find(&j.sccs, &p->graph)) return false;
  uint8_t *known = bpi_zalloc(j.sccs.count, 1);
  p->accepting = bpi_zalloc(p->graph.states, 1);
  j.via = bpi_alloc(p->graph.states, sizeof *j.via);
  bool good = known && p->accepting && j.via ? true : bpi_job_no_memory(g->labels->job);
  good = good && judge_all(&j, known);
  bpi_release(known);
  bpi_release(j.via);
  bpi_vec_free(&j.queue);
  bpi_vec_free(&j.letters);
  bpi_sccs_free(&j.sccs);
  return good;
}

bool bpi_weak_graph(bpi_graph *out, const bpi_powerset *p, bool complement)
{
  if (!bpi_graph_copy(out, &p->graph)) return false;
  out->sets = 1;
  for (uint32_t i = 0; i < out->edges.count; i++)
    out->edges.at[i].sets = (uint64_t)(p->accepting[out->edges.at[i].from] != complement);
  return bpi_graph_sort(out) && bpi_graph_prune(out);
}
