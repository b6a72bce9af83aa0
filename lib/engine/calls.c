/* SPDX-License-Identifier: MIT
 * Calls and returns: contexts go down, summaries come up (Bebop, section 3.1: Lift). */
#include "engine/form.h"

static bpi_bdd equal_vars(bpi_engine *e, uint32_t a, uint32_t b)
{
  const bpi_bdd left = bpi_bdd_literal(e->m, a, true), right = bpi_bdd_literal(e->m, b, true);
  const bpi_bdd same = bpi_bdd_iff(e->m, left, right);
  bpi_bdd_drop(e->m, left);
  bpi_bdd_drop(e->m, right);
  return same;
}

/* ---- procedures ---------------------------------------------------------- */

/* The renaming between path edges at the exit and the summary. */
static void make_renames(bpi_engine *e, uint32_t proc, bpi_linkage *out)
{
  const bpi_analysis *a = &e->a;
  const uint64_t *copied = bpi_proc_set(a, a->entry_copy, proc);
  const uint64_t *mod = bpi_proc_set(a, a->mod, proc);
  BPI_VEC(uint32_t) from = {0}, to = {0};
  bool memory = true;
  for (uint32_t i = 0; i < a->globals + a->formals[proc]; i++) {
    const bool global = i < a->globals;
    const uint32_t slot = e->layout.slot[i];
    if (bpi_bit(copied, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_ENTRY)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, global ? BPI_CURRENT : BPI_NEXT));
    if (global ? bpi_bit(mod, i) : !bpi_bit(copied, i))
      memory &= bpi_vec_push(&from, bpi_bdd_var(slot, BPI_CURRENT)) &&
                bpi_vec_push(&to, bpi_bdd_var(slot, BPI_NEXT));
  }
  if (memory) {
    out->to_summary = bpi_bdd_rename_new(e->m, from.at, to.at, from.count);
    out->from_summary = bpi_bdd_rename_new(e->m, to.at, from.at, from.count);
  } else {
    e->stop = BP_REASON_MEMORY;
  }
  bpi_vec_free(&from);
  bpi_vec_free(&to);
}

/* NEXT copies of the formals of a procedure. */
static bpi_bdd formals_set(bpi_engine *e, uint32_t proc)
{
  uint64_t *formals = e->sets;
  memset(formals, 0, e->a.words * sizeof *formals);
  for (uint32_t i = 0; i < e->a.formals[proc]; i++)
    bpi_bit_add(formals, e->a.globals + i);
  return bpi_place_set(e, formals, BPI_NEXT);
}

const bpi_linkage *bpi_linkage_of(bpi_engine *e, uint32_t proc)
{
  bpi_body *body = bpi_body_of(e, proc);
  if (!body || body->linkage.made) return body ? &body->linkage : NULL;
  bpi_linkage *out = &body->linkage;
  const bpi_analysis *a = &e->a;
  const uint64_t *copied = bpi_proc_set(a, a->entry_copy, proc);
  bpi_bdd_drop(e->m, out->identity);
  bpi_bdd_drop(e->m, out->formals_next);
  out->identity = BPI_TRUE;
  for (uint32_t i = a->places; i-- > 0;) {
    const uint32_t slot = e->layout.slot[i];
    if (bpi_bit(copied, i))
      bpi_conjoin(e, &out->identity,
                  equal_vars(e, bpi_bdd_var(slot, BPI_ENTRY), bpi_bdd_var(slot, BPI_CURRENT)));
  }
  out->formals_next = formals_set(e, proc);
  if (a->summary[proc]) make_renames(e, proc, out);
  out->made = bpi_going(e);
  return out->made ? out : NULL;
}

/* ---- call sites ---------------------------------------------------------- */

static void make_args(bpi_engine *e, bpi_call *call, const bpi_stmt *s, const uint64_t *before,
                      const uint64_t *entry)
{
  uint64_t *open = e->sets;
  memset(open, 0, e->a.words * sizeof *open);
  call->args = BPI_TRUE;
  for (uint32_t k = s->exprs.count; k-- > 0;) {
    const uint32_t place = e->a.place[e->p->procs.at[s->callee].vars.first + k];
    if (place == BP_NONE || !bpi_bit(entry, place)) continue;
    const bpi_expr x = bpi_expr_at(e->p, s->exprs.first + k);
    bpi_bdd yes, no;
    bpi_encode(e, e->p->code.at + x.first, x.count, BPI_READ_CURRENT, NULL, &yes, &no);
    const bpi_bdd formal =
        bpi_bdd_literal(e->m, bpi_bdd_var(e->layout.slot[place], BPI_NEXT), true);
    const bpi_bdd rel = bpi_bdd_ite(e->m, formal, yes, no);
    bpi_bdd_drop(e->m, formal);
    bpi_bdd_drop(e->m, yes);
    bpi_bdd_drop(e->m, no);
    bpi_conjoin(e, &call->args, rel);
    if (e->a.tracked) bpi_add_open(e, s->exprs.first + k, before, open);
  }
  if (!e->a.tracked) return;
  const bpi_bdd quant = bpi_place_set(e, open, BPI_CURRENT);
  const bpi_bdd args = bpi_bdd_exists(e->m, call->args, quant);
  bpi_bdd_drop(e->m, call->args);
  bpi_bdd_drop(e->m, quant);
  call->args = args;
}

/* Everything but the globals that are live at the callee's entry stays behind. */
static void make_enter_quant(bpi_engine *e, bpi_call *call, uint32_t caller, const uint64_t *before,
                             const uint64_t *entry)
{
  uint64_t *gone = e->sets;
  for (uint32_t w = 0; w < e->a.words; w++)
    gone[w] = before[w];
  for (uint32_t g = 0; g < e->a.globals; g++)
    if (bpi_bit(entry, g)) bpi_bit_remove(gone, g);
  call->enter_quant = bpi_place_set(e, gone, BPI_CURRENT);
  bpi_conjoin(e, &call->enter_quant,
              bpi_place_set(e, bpi_proc_set(&e->a, e->a.entry_copy, caller), BPI_ENTRY));
}

/* The results that somebody wants, as NEXT copies of their targets; the rightmost of equal targets
 * counts. `changed` collects all places that the call changes. */
static void make_results(bpi_engine *e, bpi_call *call, const bpi_stmt *s, const uint64_t *after,
                         uint64_t *changed)
{
  const bpi_analysis *a = &e->a;
  uint64_t *given = e->sets, *lost = e->sets + a->words;
  memset(given, 0, a->words * sizeof *given);
  memset(lost, 0, a->words * sizeof *lost);
  call->results = BPI_TRUE;
  for (uint32_t k = s->targets.count; k-- > 0;) {
    const uint32_t target = e->p->ids.at[s->targets.first + k];
    if (target == BP_NONE || !a->var_matters[target] || bpi_bit(given, a->place[target])) continue;
    const uint32_t place = a->place[target];
    bpi_bit_add(given, place);
    bpi_bit_add(changed, place);
    if (place < a->globals) bpi_bit_add(lost, place);
    if (bpi_bit(after, place))
      bpi_conjoin(e, &call->results,
                  equal_vars(e, bpi_bdd_var(e->layout.slot[place], BPI_NEXT),
                             bpi_bdd_var(e->layout.result_slot[k], BPI_CURRENT)));
  }
  call->before_quant = bpi_place_set(e, lost, BPI_NEXT);
}

static void make_quants(bpi_engine *e, bpi_call *call, const bpi_stmt *s, const uint64_t *before,
                        const uint64_t *after, const uint64_t *changed)
{
  const bpi_analysis *a = &e->a;
  uint64_t *gone = e->sets;
  for (uint32_t w = 0; w < a->words; w++)
    gone[w] = changed[w] & ~after[w];
  call->lift_quant = bpi_place_set(e, gone, BPI_NEXT);
  for (uint32_t r = 0; r < e->p->procs.at[s->callee].results; r++)
    bpi_conjoin(e, &call->lift_quant,
                bpi_bdd_literal(e->m, bpi_bdd_var(e->layout.result_slot[r], BPI_CURRENT), true));
  for (uint32_t w = 0; w < a->words; w++)
    gone[w] = before[w] & (changed[w] | ~after[w]);
  call->after_quant = bpi_place_set(e, gone, BPI_CURRENT);
}

void bpi_call_drop(bpi_engine *e, bpi_call *call)
{
  bpi_bdd *const all[] = {&call->unseen,       &call->lost,          &call->stable,
                          &call->around,       &call->results_quant, &call->args,
                          &call->formals_next, &call->enter_quant,   &call->results,
                          &call->before_quant, &call->lift_quant,    &call->after_quant};
  for (uint32_t i = 0; i < sizeof all / sizeof *all; i++) {
    bpi_bdd_drop(e->m, *all[i]);
    *all[i] = BPI_FALSE;
  }
}

static bpi_call *shared_call(bpi_engine *e, uint32_t vertex)
{
  void *own = NULL, **place = &own;
  if (!(e->off & BP_ENGINE_SHARE))
    place = bpi_write_call_form(e, vertex) ? bpi_form_find(e, &e->call_forms) : NULL;
  if (place && !*place && bpi_vec_reserve(&e->calls, 1)) {
    *place = bpi_zalloc(1, sizeof(bpi_call));
    if (*place) e->calls.at[e->calls.count++] = *place;
  }
  if (!place || !*place) e->stop = BP_REASON_MEMORY;
  return place ? *place : NULL;
}

bpi_call *bpi_call_of(bpi_engine *e, uint32_t vertex)
{
  const bpi_vertex *v = &e->cfg->vertices.at[vertex];
  bpi_body *body = bpi_body_of(e, v->proc);
  if (!body) return NULL;
  const uint32_t node = body->spots[vertex - e->cfg->procs.at[v->proc].vertices.first].node;
  bpi_call **place = &body->calls[body->nodes[node].call], *call;
  if (!*place) *place = shared_call(e, vertex);
  call = *place;
  if (!call || call->made) return call;
  const bpi_stmt stmt = bpi_stmt_at(e->p, v->stmt), *s = &stmt;
  const uint32_t behind = e->cfg->succs.at[bpi_succs(v).first];
  const uint64_t *before = bpi_live(&e->a, vertex), *after = bpi_live(&e->a, behind);
  const uint64_t *entry = bpi_live(&e->a, e->cfg->procs.at[s->callee].entry);
  uint64_t *changed = e->sets + (size_t)2 * e->a.words;
  memcpy(changed, bpi_proc_set(&e->a, e->a.mod, s->callee), e->a.words * sizeof *changed);
  bpi_call_drop(e, call);
  make_args(e, call, s, before, entry);
  call->formals_next = formals_set(e, s->callee);
  make_enter_quant(e, call, v->proc, before, entry);
  make_results(e, call, s, after, changed);
  make_quants(e, call, s, before, after, changed);
  call->made = bpi_going(e);
  return call->made ? call : NULL;
}

/* ---- moving sets --------------------------------------------------------- */

bpi_bdd bpi_enter(bpi_engine *e, const bpi_call *call, bpi_bdd set)
{
  return bpi_bdd_image(e->m, set, call->args, call->enter_quant);
}

bpi_bdd bpi_bind(bpi_engine *e, const bpi_call *call, bpi_bdd summary)
{
  return bpi_bdd_and_exists(e->m, summary, call->args, call->formals_next);
}

bpi_bdd bpi_lift(bpi_engine *e, const bpi_call *call, bpi_bdd summary)
{
  /* The arguments are bound and gone before the results come: a formal of the callee and a target
   * among the caller's locals may share a slot. */
  const bpi_bdd kept = bpi_bdd_exists(e->m, summary, call->before_quant);
  const bpi_bdd bound = bpi_bind(e, call, kept);
  const bpi_bdd lift = bpi_bdd_and_exists(e->m, bound, call->results, call->lift_quant);
  bpi_bdd_drop(e->m, kept);
  bpi_bdd_drop(e->m, bound);
  return lift;
}

bpi_bdd bpi_return(bpi_engine *e, const bpi_call *call, bpi_bdd set, bpi_bdd lift)
{
  return bpi_bdd_image(e->m, set, lift, call->after_quant);
}
