/* SPDX-License-Identifier: MIT
 * Procedures for single contexts. A relation between the entry and what follows needs a copy of every
 * place that the procedure reads and changes, and where there are dozens that influence each other it is
 * large beyond hope. But it is needed only where something that passes the call by depends on these
 * places. Where it does not, and the set at the call is what passes by joined with one context, the
 * states behind the call are what passes by joined with all that the procedure makes of the context: an
 * instance of its own for this context (the functional approach of Sharir & Pnueli, 1981, with sets of
 * states as values) computes that, without copies.
 *
 * A set that is no such join falls into pieces that are; when they, or the contexts of a procedure,
 * become many, what is left goes to the relation, as ever. */
#include "engine/body.h"

#ifndef BPI_LEAST_COPIES /* 0 for tests: every procedure */
#define BPI_LEAST_COPIES 8
#endif
#ifndef BPI_MOST_CONTEXTS /* few for tests: more is left over */
#define BPI_MOST_CONTEXTS 24
#endif

enum {
  LEAST_COPIES = BPI_LEAST_COPIES, /* of a procedure that is worth it */
  MOST_PIECES = 4,
  MOST_CONTEXTS = BPI_MOST_CONTEXTS, /* of a procedure */
  SEARCHED_CONTEXTS = 8              /* times as many when a trace is looked for */
};

static bool is_worth(const bpi_engine *e, uint32_t proc)
{
  if (e->cfg->procs.at[proc].recursive) return e->shallow || e->merged;
  const uint64_t *copied = bpi_proc_set(&e->a, e->a.entry_copy, proc);
  uint32_t copies = 0;
  for (uint32_t w = 0; w < e->a.words; w++)
    copies += (uint32_t)__builtin_popcountll(copied[w]);
  return copies >= LEAST_COPIES;
}

bool bpi_enters_singles(const bpi_engine *e, uint32_t proc)
{
  const bpi_slice all = e->cfg->procs.at[proc].vertices;
  for (uint32_t v = all.first; e->singles && v < all.first + all.count; v++)
    if (e->cfg->vertices.at[v].kind == BPI_VERTEX_CALL &&
        is_worth(e, bpi_stmt_callee(e->p, e->cfg->vertices.at[v].stmt)))
      return true;
  return false;
}

bool bpi_singles_begin(bpi_engine *e)
{
  bool some = false;
  for (uint32_t p = 0; p < e->cfg->procs.count && !(e->off & BP_ENGINE_CONTEXT); p++)
    some |= is_worth(e, p);
  if (some) e->singles = bpi_zalloc(e->cfg->procs.count, sizeof *e->singles);
  return !some || e->singles;
}

void bpi_singles_free(bpi_engine *e)
{
  for (uint32_t p = 0; e->singles && p < e->cfg->procs.count; p++)
    for (bpi_single *s = e->singles[p], *next; s; s = next) {
      next = s->next;
      for (uint32_t i = 0; i < s->users.count; i++)
        bpi_bdd_drop(e->m, s->users.at[i].around);
      bpi_vec_free(&s->users);
      bpi_instance_clear(e, &s->in);
      bpi_release(s);
    }
  bpi_release(e->singles);
}

/* ---- which places -------------------------------------------------------- */

static void add_targets(const bpi_engine *e, const bpi_vertex *v, uint64_t *places)
{
  const bpi_stmt s = bpi_stmt_at(e->p, v->stmt);
  for (uint32_t k = 0; k < s.targets.count; k++) {
    const uint32_t target = e->p->ids.at[s.targets.first + k];
    if (target != BP_NONE && e->a.var_matters[target]) bpi_bit_add(places, e->a.place[target]);
  }
}

/* Sorts the places before a call into those that the relation of the callee would copy, those that it
 * reads else, those that pass the call by, and those that nobody needs: four sets in e->sets. */
static void sort_places(bpi_engine *e, uint32_t vertex)
{
  const bpi_analysis *a = &e->a;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  const uint32_t callee = bpi_stmt_callee(e->p, v->stmt);
  const uint64_t *before = bpi_live(a, vertex), *copied = bpi_proc_set(a, a->entry_copy, callee);
  const uint64_t *entry = bpi_live(a, e->cfg->procs.at[callee].entry);
  const uint64_t *after = bpi_live(a, e->cfg->succs.at[bpi_succs(v).first]);
  uint64_t *lost = e->sets, *stable = lost + a->words, *around = stable + a->words,
           *unseen = around + a->words, *changed = unseen + a->words;
  memset(e->sets, 0, (size_t)4 * a->words * sizeof *e->sets);
  memcpy(changed, bpi_proc_set(a, a->mod, callee), a->words * sizeof *changed);
  add_targets(e, v, changed);
  for (uint32_t i = 0; i < a->places; i++) {
    const bool read = i < a->globals && bpi_bit(entry, i);
    if (read) {
      bpi_bit_add(bpi_bit(copied, i) ? lost : stable, i);
    } else if (bpi_bit(before, i)) {
      bpi_bit_add(bpi_bit(after, i) && !bpi_bit(changed, i) ? around : unseen, i);
    }
  }
}

/* Adds the formals that are live at the callee's entry to the first two sets. */
static void split_formals(bpi_engine *e, uint32_t callee, bpi_bdd *copied_too, bpi_bdd *stable_too)
{
  const bpi_analysis *a = &e->a;
  const uint64_t *copied = bpi_proc_set(a, a->entry_copy, callee);
  const uint64_t *entry = bpi_live(a, e->cfg->procs.at[callee].entry);
  uint64_t *formals = e->sets + (size_t)4 * a->words;
  for (uint32_t k = 0; k < 2; k++) {
    memset(formals, 0, a->words * sizeof *formals);
    for (uint32_t i = a->globals; i < a->globals + a->formals[callee]; i++)
      if (bpi_bit(entry, i) && bpi_bit(copied, i) == (k == 0)) bpi_bit_add(formals, i);
    bpi_conjoin(e, k ? stable_too : copied_too, bpi_place_set(e, formals, BPI_NEXT));
  }
}

static bool split_places(bpi_engine *e, bpi_call *call, uint32_t vertex)
{
  if (call->split) return true;
  const bpi_analysis *a = &e->a;
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  sort_places(e, vertex);
  bpi_bdd *const sets[] = {&call->lost, &call->stable, &call->around, &call->unseen};
  for (uint32_t k = 0; k < 4; k++) {
    bpi_bdd_drop(e->m, *sets[k]);
    *sets[k] = bpi_place_set(e, e->sets + (size_t)k * a->words, BPI_CURRENT);
  }
  split_formals(e, bpi_stmt_callee(e->p, v->stmt), &call->lost, &call->stable);
  bpi_conjoin(e, &call->around,
              bpi_place_set(e, bpi_proc_set(a, a->entry_copy, v->proc), BPI_ENTRY));
  bpi_bdd_drop(e->m, call->results_quant);
  call->results_quant = bpi_bdd_and(e->m, call->lift_quant, call->after_quant);
  call->split = bpi_going(e);
  return call->split;
}

/* ---- instances ----------------------------------------------------------- */

/* How a callee is entered. */
typedef struct entry {
  const bpi_call *call;
  uint32_t callee, level;
  uint32_t most, most_pieces; /* contexts of the callee, pieces of a set */
  bpi_pieces *pieces;         /* for a search; NULL: the item at hand */
} entry;

static bpi_single *find_single(const bpi_engine *e, const entry *to, bpi_bdd context,
                               uint32_t *count)
{
  *count = 0;
  for (bpi_single *s = e->singles[to->callee]; s; s = s->next) {
    if (s->level != to->level) continue;
    if (s->in.entries == context) return s;
    ++*count;
  }
  return NULL;
}

/* An instance for a context; NULL and e->stop without memory. */
static bpi_single *new_single(bpi_engine *e, const entry *to, bpi_bdd context)
{
  const uint32_t callee = to->callee;
  bpi_single *s = bpi_zalloc(1, sizeof *s);
  if (!s || !bpi_vec_reserve(&e->heap, e->cfg->procs.count + 1 + e->single_count)) {
    bpi_release(s);
    e->stop = BP_REASON_MEMORY;
    return NULL;
  }
  s->in = (bpi_instance){.proc = callee, .single = true, .body = bpi_body_of(e, callee)};
  if (!s->in.body || !bpi_make_facts(e, &s->in)) {
    bpi_release(s);
    return NULL;
  }
  e->single_count++;
  s->level = to->level;
  s->in.entries = bpi_bdd_keep(e->m, context);
  s->next = e->singles[callee];
  e->singles[callee] = s;
  bpi_add_path_edges(e, &s->in, bpi_node_of(e, e->cfg->procs.at[callee].entry),
                     bpi_bdd_keep(e->m, context));
  return s;
}

/* The states behind a call: what passes it by, with (part of) the summary of one context. */
static bpi_bdd return_around(bpi_engine *e, const bpi_call *call, bpi_bdd around, bpi_bdd summary)
{
  const bpi_bdd kept = bpi_bdd_exists(e->m, summary, call->before_quant);
  const bpi_bdd both = bpi_bdd_and_exists(e->m, around, kept, call->formals_next);
  const bpi_bdd back = bpi_bdd_image(e->m, both, call->results, call->results_quant);
  bpi_bdd_drop(e->m, kept);
  bpi_bdd_drop(e->m, both);
  return back;
}

/* Lets a caller go on with what the summary of an instance has, or has gained. */
static void tell(bpi_engine *e, const bpi_user *user, bpi_bdd around, bpi_bdd summary)
{
  const uint32_t first = e->cfg->procs.at[user->caller->proc].vertices.first;
  const bpi_node *node = &user->caller->body->nodes[user->node];
  const bpi_call *call = bpi_call_of(e, first + node->vertex);
  bpi_lifted *lifted = &bpi_lifts(user->caller)[node->call];
  if (!call || summary == BPI_FALSE || !node->count) return;
  bpi_bdd back = bpi_bdd_keep(e->m, lifted->back);
  bpi_join(e, &back, return_around(e, call, around, summary));
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, back);
    return;
  }
  bpi_bdd_drop(e->m, lifted->back);
  lifted->back = back;
  if (back != BPI_FALSE) bpi_queue_node(e, user->caller, user->node);
}

void bpi_tell_users(bpi_engine *e, bpi_single *single, bpi_bdd more)
{
  const bpi_bdd fresh = bpi_bdd_diff(e->m, more, single->in.summary);
  for (uint32_t i = 0; i < single->users.count && bpi_going(e); i++)
    tell(e, &single->users.at[i], single->users.at[i].around, fresh);
  bpi_bdd_drop(e->m, fresh);
}

/* The user of an instance that the item at hand is; NULL without memory. */
static bpi_user *user_of(bpi_engine *e, bpi_single *single)
{
  for (uint32_t i = 0; i < single->users.count; i++)
    if (single->users.at[i].caller == e->item.in && single->users.at[i].node == e->item.node)
      return &single->users.at[i];
  const bpi_user user = {e->item.in, e->item.node, BPI_FALSE};
  if (bpi_vec_push(&single->users, user)) return &single->users.at[single->users.count - 1];
  e->stop = BP_REASON_MEMORY;
  return NULL;
}

/* The instance for what `values` says of what the callee reads; NULL: there are too many, or the work
 * is stopped. */
static bpi_single *single_for(bpi_engine *e, const entry *to, bpi_bdd values)
{
  uint32_t count;
  const bpi_bdd context = bpi_bdd_image(e->m, values, BPI_TRUE, BPI_TRUE);
  bpi_single *single = bpi_going(e) ? find_single(e, to, context, &count) : NULL;
  if (!single && bpi_going(e) && count < to->most) single = new_single(e, to, context);
  bpi_bdd_drop(e->m, context);
  return bpi_going(e) ? single : NULL;
}

/* The caller of the item at hand goes on with what passes by and the summary. */
static bool add_user(bpi_engine *e, bpi_single *single, bpi_bdd around)
{
  bpi_user *user = user_of(e, single);
  if (!user) return false;
  bpi_bdd all = bpi_bdd_keep(e->m, user->around);
  bpi_join(e, &all, bpi_bdd_keep(e->m, around));
  tell(e, user, around, single->in.summary);
  if (!bpi_going(e)) {
    bpi_bdd_drop(e->m, all);
    return false;
  }
  bpi_bdd_drop(e->m, user->around);
  user->around = all;
  return true;
}

static bool add_piece(bpi_engine *e, bpi_pieces *pieces, bpi_single *single, bpi_bdd around)
{
  if (!bpi_vec_push(&pieces->list, (bpi_piece){around, single})) {
    e->stop = BP_REASON_MEMORY;
    return false;
  }
  bpi_bdd_keep(e->m, around);
  return true;
}

/* One piece: `around` joined with `values` of what the callee reads, for a search or, without one, for the
 * item at hand. False: there are too many contexts, or the work is stopped. */
static bool use(bpi_engine *e, const entry *to, bpi_bdd around, bpi_bdd values)
{
  bpi_single *single = single_for(e, to, values);
  if (!single) return false;
  return to->pieces ? add_piece(e, to->pieces, single, around) : add_user(e, single, around);
}

/* ---- pieces -------------------------------------------------------------- */

/* Uses the largest piece of `set` round one state. Answers what is left of it; the same: nothing could be
 * done. */
static bpi_bdd use_piece(bpi_engine *e, const entry *to, bpi_bdd set)
{
  const bpi_call *call = to->call;
  const bpi_bdd kept = bpi_bdd_and(e->m, call->around, call->stable);
  const bpi_bdd one = bpi_rest_of_one(e, set, kept);
  const bpi_bdd differs = bpi_bdd_xor(e->m, set, one);
  const bpi_bdd others = bpi_bdd_exists(e->m, differs, call->lost);
  const bpi_bdd around = bpi_bdd_not(e->m, others);
  const bpi_bdd stable = bpi_bdd_exists(e->m, around, call->around);
  const bpi_bdd values = bpi_bdd_and(e->m, stable, one);
  const bool used = bpi_going(e) && use(e, to, around, values);
  const bpi_bdd rest = used ? bpi_bdd_diff(e->m, set, around) : bpi_bdd_keep(e->m, set);
  const bpi_bdd all[] = {kept, one, differs, others, around, stable, values};
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
    bpi_bdd_drop(e->m, all[i]);
  return rest;
}

/* Whether `set` is the join of the two. */
static bool is_join(bpi_engine *e, bpi_bdd set, bpi_bdd around, bpi_bdd values)
{
  const bpi_bdd both = bpi_bdd_and(e->m, around, values);
  bpi_bdd_drop(e->m, both);
  return both == set && bpi_going(e);
}

/* Takes pieces off `set`, which is given away, and answers what is left. */
static bpi_bdd use_pieces(bpi_engine *e, const entry *to, bpi_bdd set)
{
  for (uint32_t i = 0; i < to->most_pieces && set != BPI_FALSE && bpi_going(e); i++) {
    const bpi_bdd around = bpi_bdd_exists(e->m, set, to->call->lost);
    const bpi_bdd values = bpi_bdd_exists(e->m, set, to->call->around);
    const bool whole = is_join(e, set, around, values);
    const bool used = whole && use(e, to, around, values);
    const bpi_bdd rest = used ? BPI_FALSE : whole ? bpi_bdd_keep(e->m, set) : use_piece(e, to, set);
    const bool same = rest == set;
    bpi_bdd_drop(e->m, around);
    bpi_bdd_drop(e->m, values);
    bpi_bdd_drop(e->m, set);
    set = rest;
    if (same) break;
  }
  return set;
}

/* Adds what `entering` says of what a recursive callee reads to the one context that it has. */
static void merge(bpi_engine *e, const entry *to, bpi_bdd entering)
{
  const bpi_bdd around = bpi_bdd_exists(e->m, entering, to->call->lost);
  const bpi_bdd values = bpi_bdd_exists(e->m, entering, to->call->around);
  const bpi_bdd context = bpi_bdd_image(e->m, values, BPI_TRUE, BPI_TRUE);
  bpi_single *single = e->singles[to->callee];
  if (!single && bpi_going(e)) {
    single = new_single(e, to, context);
  } else if (bpi_going(e)) {
    bpi_join(e, &single->in.entries, bpi_bdd_keep(e->m, context));
    bpi_add_path_edges(e, &single->in, bpi_node_of(e, e->cfg->procs.at[to->callee].entry),
                       bpi_bdd_keep(e->m, context));
  }
  if (single && bpi_going(e)) add_user(e, single, around);
  bpi_bdd_drop(e->m, around);
  bpi_bdd_drop(e->m, values);
  bpi_bdd_drop(e->m, context);
}

/* Enters the callee of a call with `set`. Answers the contexts that are left for the relation. */
static bpi_bdd enter(bpi_engine *e, bpi_call *call, uint32_t vertex, bpi_bdd set, uint32_t level,
                     bpi_pieces *pieces)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  const uint32_t callee = bpi_stmt_callee(e->p, v->stmt);
  if (!is_worth(e, callee)) return bpi_enter(e, call, set);
  const bool recursive = e->cfg->procs.at[callee].recursive;
  const bool every = recursive && e->every_context;
  const entry to = {.call = call,
                    .callee = callee,
                    .level = bpi_level_of_callee(e, v->proc, callee, level),
                    .most = every     ? UINT32_MAX
                            : !pieces ? MOST_CONTEXTS
                                      : MOST_CONTEXTS * SEARCHED_CONTEXTS,
                    .most_pieces = every ? UINT32_MAX : MOST_PIECES,
                    .pieces = pieces};
  if (to.level > e->shallow && !e->merged) {
    e->cut = true;
    return BPI_FALSE;
  }
  if (!split_places(e, call, vertex)) return BPI_FALSE;
  const bpi_bdd entering = bpi_bdd_and_exists(e->m, set, call->args, call->unseen);
  if (recursive && e->merged) {
    merge(e, &to, entering);
    bpi_bdd_drop(e->m, entering);
    return BPI_FALSE;
  }
  const bpi_bdd rest = use_pieces(e, &to, entering);
  const bpi_bdd left = recursive ? BPI_FALSE : bpi_bdd_image(e->m, rest, BPI_TRUE, call->around);
  e->cut |= recursive && rest != BPI_FALSE;
  bpi_bdd_drop(e->m, rest);
  return left;
}

bpi_bdd bpi_enter_singles(bpi_engine *e, bpi_call *call, uint32_t vertex)
{
  const bpi_instance *in = e->item.in;
  return enter(e, call, vertex, e->item.set, in->single ? ((const bpi_single *)in)->level : 0,
               NULL);
}

/* ---- for searches -------------------------------------------------------- */

bpi_bdd bpi_pieces_of(bpi_engine *e, uint32_t vertex, bpi_bdd set, bpi_pieces *out)
{
  bpi_call *call = bpi_call_of(e, vertex);
  return call ? enter(e, call, vertex, set, out->level, out) : BPI_FALSE;
}

bpi_bdd bpi_piece_return(bpi_engine *e, const bpi_call *call, const bpi_piece *piece)
{
  return return_around(e, call, piece->around, piece->single->in.summary);
}

void bpi_pieces_free(bpi_engine *e, bpi_pieces *pieces)
{
  for (uint32_t i = 0; i < pieces->list.count; i++)
    bpi_bdd_drop(e->m, pieces->list.at[i].around);
  bpi_vec_free(&pieces->list);
}
