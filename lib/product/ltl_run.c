/* SPDX-License-Identifier: MIT
 * The run: safety first, then cycles. */
#include "product/ltl.h"

#include "cfg/shown.h"
#include "product/aims.h"

/* ---- stages -------------------------------------------------------------- */

/* The condition on the start: the automaton's, and what was given. */
static bool start_code(const bp_ltl *ltl, const bpi_product *product, bpi_code *code)
{
  const uint32_t vertex = product->cfg->procs.at[product->entry].entry;
  bool memory = bpi_product_states(product, ltl->a.initial.at, ltl->a.initial.count, code);
  for (uint32_t i = 0; i < ltl->init.count; i++) {
    bpi_instr in = ltl->init.at[i];
    if (in.op == BPI_OP_VAR) in.arg = bpi_shown_var(product->cfg, vertex, in.arg) & BPI_MAX_ARGS;
    memory &= bpi_vec_push(code, in);
  }
  if (ltl->init.count) memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_AND, 0});
  return memory;
}

/* What the loop begins with; `proc`: the product's procedure that the locals are of. */
static bool point_code(const bp_ltl *ltl, const bpi_product *product, uint32_t proc, bpi_code *code)
{
  const bp_program *p = product->cfg->program;
  const uint32_t shift = p->procs.at[proc].vars.first - p->procs.at[ltl->at_proc].vars.first;
  bool memory = bpi_vec_push(code, (bpi_instr){BPI_OP_TRUE, 0});
  for (uint32_t i = 0; i < ltl->point.count; i++) {
    const bpi_point_value *v = &ltl->point.at[i];
    const uint32_t var = v->var + (p->vars.at[v->var].proc == BP_NONE ? 0 : shift);
    memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_VAR, var & BPI_MAX_ARGS});
    if (!v->value) memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_NOT, 0});
    memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_AND, 0});
  }
  return memory;
}

static bool accepted_code(const bpi_product *product, bool accepted, bpi_code *code)
{
  bool memory = bpi_vec_push(code, (bpi_instr){BPI_OP_VAR, product->accepted & BPI_MAX_ARGS});
  if (!accepted) memory &= bpi_vec_push(code, (bpi_instr){BPI_OP_NOT, 0});
  return memory && bpi_vec_push(code, (bpi_instr){BPI_OP_AND, 0});
}

/* Where each way round the program has to pass: a vertex that an edge leads back to, a procedure that can
 * call itself, the stuttering at the end. */
static bool is_turn(const bp_cfg *cfg, const bpi_product *product, uint32_t vertex)
{
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  const bpi_cfg_proc *proc = &cfg->procs.at[v->proc];
  if (product->role[vertex] == BPI_ROLE_ENDED || product->role[vertex] == BPI_ROLE_FAILED)
    return true;
  if (vertex == proc->entry && proc->recursive) return true;
  for (uint32_t i = 0; i < bpi_preds(v).count; i++)
    if (bpi_place_of(cfg, cfg->preds.at[bpi_preds(v).first + i]) >= bpi_place_of(cfg, vertex))
      return true;
  return false;
}

typedef BPI_VEC(bpi_spot_of_target) spots;

static bool add_spot(spots *list, uint32_t vertex, bpi_code *code)
{
  if (bpi_vec_push(list, (bpi_spot_of_target){.vertex = vertex})) {
    memcpy(&list->at[list->count - 1].when, code, sizeof *code);
    return true;
  }
  bpi_vec_free(code);
  return false;
}

/* The monitor is in a bad state, at any turn: from there on it stays in one. */
static bool bad_spots(const bp_ltl *ltl, const bpi_product *product, spots *list)
{
  const bp_cfg *cfg = product->cfg;
  BPI_VEC(uint32_t) bad = {0};
  bool memory = true;
  for (uint32_t s = 0; s < ltl->a.states; s++)
    if (bpi_bit(ltl->a.final, s)) memory &= bpi_vec_push(&bad, s);
  for (uint32_t v = 0; memory && v < cfg->vertices.count; v++) {
    bpi_code code = {0};
    if (!bad.count || !is_turn(cfg, product, v)) continue;
    /* All of them have the code of the first. */
    if (!list->count) memory = bpi_product_states(product, bad.at, bad.count, &code);
    memory = add_spot(list, v, &code) && memory;
  }
  bpi_vec_free(&bad);
  return memory;
}

static uint32_t find_point(const bp_ltl *ltl, const bpi_product *product, uint32_t proc)
{
  return bpi_product_find(product, proc, ltl->at, ltl->at_role);
}

/* The head that was found; in the loop, with the accepting edge behind it, in its own frame or in a
 * deeper one. */
static bool point_spots(const bp_ltl *ltl, const bpi_product *product, bool loop, spots *list)
{
  const uint32_t procs[] = {loop ? product->entry : ltl->at_proc, ltl->at_proc};
  bool memory = true;
  for (uint32_t i = 0; i < (loop && procs[0] != procs[1] ? 2u : 1u); i++) {
    bpi_code code = {0};
    if (product->cfg->procs.at[procs[i]].entry == BP_NONE) continue;
    const uint32_t vertex = find_point(ltl, product, procs[i]);
    if (vertex == BP_NONE) continue;
    memory &= point_code(ltl, product, procs[i], &code);
    if (loop) memory &= accepted_code(product, true, &code);
    memory = add_spot(list, vertex, &code) && memory;
  }
  return memory;
}

static bp_status add_target(bp_ltl *ltl, bpi_product_stage *s, bpi_stage_kind kind)
{
  spots list = {0};
  bool memory = true;
  if (kind == BPI_STAGE_SAFETY) memory = bad_spots(ltl, &s->product, &list);
  if (kind == BPI_STAGE_PREFIX || kind == BPI_STAGE_LOOP)
    memory = point_spots(ltl, &s->product, kind == BPI_STAGE_LOOP, &list);
  bp_status status = BP_OK;
  if (kind != BPI_STAGE_CYCLE) {
    status = bpi_query_add_spots(s->query, list.at, list.count);
    if (status == BP_OK && !memory) status = bpi_no_memory(ltl->ctx);
  }
  bpi_vec_free(&list);
  return status;
}

static bp_status make_query(bp_ltl *ltl, bpi_product_stage *s, bpi_stage_kind kind)
{
  const bp_query_options options = {.size = sizeof options, .off = ltl->options.off};
  bp_status status = bp_query_new(&s->query, ltl->ctx, ltl->m, s->product.cfg, &options);
  if (status != BP_OK) return status;
  const bool loop = kind == BPI_STAGE_LOOP;
  const bool memory = loop ? point_code(ltl, &s->product, s->product.entry, &s->query->init) &&
                                 accepted_code(&s->product, false, &s->query->init)
                           : start_code(ltl, &s->product, &s->query->init);
  return memory ? add_target(ltl, s, kind) : bpi_no_memory(ltl->ctx);
}

static bp_status make_product(bp_ltl *ltl, bpi_product_stage *s, bpi_stage_kind kind)
{
  static const bpi_memory memories[] = {[BPI_STAGE_SAFETY] = BPI_MEMORY_NONE,
                                        [BPI_STAGE_CYCLE] = BPI_MEMORY_FRAME,
                                        [BPI_STAGE_PREFIX] = BPI_MEMORY_NONE,
                                        [BPI_STAGE_LOOP] = BPI_MEMORY_GLOBAL};
  const uint32_t procs = ltl->cfg->procs.count;
  const bpi_product_options options = {.memory = memories[kind],
                                       .loop = kind == BPI_STAGE_LOOP,
                                       .proc = ltl->at_proc < procs ? ltl->at_proc
                                                                    : ltl->cfg->program->entry,
                                       .start = ltl->at,
                                       .role = ltl->at_role,
                                       .in_entry = ltl->at_proc == procs};
  bpi_watch watch = {.cancel = &ltl->cancel};
  watch.deadline_ns = bpi_deadline_ns(ltl->limits.wall_ms);
  const bp_status status =
      bpi_product_make(&s->product, ltl->ctx, ltl->cfg, &ltl->a, &ltl->props, &options, &watch);
  if (status == BP_E_NOMEM) {
    ltl->reason = BP_REASON_MEMORY;
    return bpi_no_memory(ltl->ctx);
  }
  if (status != BP_E_LIMIT) return status;
  ltl->reason = watch.cancelled ? BP_REASON_CANCELLED : BP_REASON_TIME;
  return bpi_fail(ltl->ctx, status, BPI_MSG_LIMIT, "stopped: %s", bp_reason_name(ltl->reason));
}

bp_status bpi_ltl_stage(bp_ltl *ltl, bpi_stage_kind kind)
{
  bpi_product_stage *s = &ltl->stages[kind];
  if (s->query) return BP_OK;
  bpi_context_begin(ltl->ctx);
  const uint64_t start = bpi_cpu_ns();
  bp_status status = make_product(ltl, s, kind);
  if (status == BP_OK) {
    status = make_query(ltl, s, kind);
    if (status == BP_E_NOMEM) ltl->reason = BP_REASON_MEMORY;
    if (status != BP_OK) {
      bp_query_unref(s->query);
      bpi_product_clear(&s->product);
      s->query = NULL;
    }
  }
  ltl->cpu_ns += bpi_cpu_ns() - start;
  return status;
}

/* ---- safety -------------------------------------------------------------- */

/* Whether some execution can be cut off, so that a prefix need not have a continuation. */
static bool can_block(const bp_cfg *cfg)
{
  for (uint32_t i = 0; i < cfg->vertices.count; i++) {
    const bpi_vertex *v = &cfg->vertices.at[i];
    if (v->kind == BPI_VERTEX_ASSUME) return true;
    if (v->kind != BPI_VERTEX_EXIT && !bpi_succs(v).count) return true;
    if (v->kind == BPI_VERTEX_ASSIGN && (bpi_stmt_at(cfg->program, v->stmt).constrain != BP_NONE ||
                                         bpi_enforce_of(cfg, v) != BP_NONE))
      return true;
  }
  return false;
}

static void decide(bp_ltl *ltl, bp_ltl_verdict verdict, bp_ltl_way way)
{
  ltl->verdict = verdict;
  ltl->way = way;
  ltl->reason = BP_REASON_NONE;
}

static bp_status run_safety(bp_ltl *ltl)
{
  bp_status status = bpi_ltl_stage(ltl, BPI_STAGE_SAFETY);
  if (status != BP_OK) return status;
  bpi_ltl_ready(ltl, BPI_STAGE_SAFETY);
  bp_query *q = ltl->stages[BPI_STAGE_SAFETY].query;
  const uint64_t start = bpi_cpu_ns();
  status = bp_query_run(q);
  ltl->cpu_ns += bpi_cpu_ns() - start;
  if (status != BP_OK || bp_query_verdict(q, 0) == BP_UNDECIDED) {
    ltl->reason = bp_query_reason(q);
    return status == BP_OK ? BP_E_LIMIT : status;
  }
  ltl->safety_done = true;
  if (bp_query_verdict(q, 0) == BP_UNREACHABLE)
    decide(ltl, BP_LTL_HOLDS, BP_LTL_WAY_SAFETY);
  else if (!can_block(ltl->cfg))
    decide(ltl, BP_LTL_VIOLATED, BP_LTL_WAY_SAFETY);
  return BP_OK;
}

/* ---- cycles -------------------------------------------------------------- */

/* What an exploration that could not be made came to. */
static bp_status not_made(bp_ltl *ltl, bp_query *q, bp_status status)
{
  if (status != BP_E_LIMIT) return bpi_query_stopped(q, NULL);
  q->reason = BP_REASON_VARIABLES;
  return bpi_fail(ltl->ctx, status, BPI_MSG_VARIABLES,
                  "more BDD variables than the manager allows");
}

/* The exploration of everything that accepting cycles depend on. */
static bp_status make_engine(bp_ltl *ltl, bp_query *q)
{
  const bpi_product *product = &ltl->stages[BPI_STAGE_CYCLE].product;
  bpi_aims aims = {0};
  if (ltl->engine)
    return bpi_query_ready(q, ltl->engine) ? BP_OK : bpi_query_stopped(q, ltl->engine);
  bp_status status = bpi_aims_find(&aims, product, &ltl->a, &ltl->props, &q->watch);
  const bpi_engine_options options = {.init = q->init.at,
                                      .init_count = q->init.count,
                                      .off = q->off | BP_ENGINE_EARLY | BP_ENGINE_CONTEXT,
                                      .kept = product->seen,
                                      .aims = aims.at,
                                      .aim_count = aims.count,
                                      .enters_all = true};
  if (status == BP_E_LIMIT)
    status = bpi_query_expired(q);
  else if (status != BP_OK ||
           (status = bpi_engine_new(&ltl->engine, ltl->m, product->cfg, &options)) != BP_OK)
    status = not_made(ltl, q, status);
  else if (!bpi_query_ready(q, ltl->engine))
    status = bpi_query_stopped(q, ltl->engine);
  bpi_vec_free(&aims);
  return status;
}

static bool take_point(bp_ltl *ltl, const bpi_cycle *c)
{
  const bpi_engine *e = c->h->e;
  const bpi_product *product = c->h->product;
  const bp_program *p = product->cfg->program;
  uint8_t *values = bpi_zalloc((size_t)3 * bpi_bdd_slot_count(e->m), 1);
  if (!values || !bpi_bdd_pick(e->m, c->head, values)) {
    bpi_release(values);
    return false;
  }
  ltl->at_proc = product->cfg->vertices.at[c->vertex].proc;
  ltl->at = product->of[c->vertex];
  ltl->at_role = (bpi_role)product->role[c->vertex];
  ltl->point.count = 0;
  bool memory = true;
  for (uint32_t var = 0; var < p->vars.count; var++) {
    const uint32_t home = p->vars.at[var].proc;
    if (home != BP_NONE && home != ltl->at_proc) continue;
    if (e->a.place[var] == BP_NONE || !bpi_bit(bpi_live(&e->a, c->vertex), e->a.place[var]) ||
        var == product->accepted || var == product->seen[ltl->at_proc] ||
        var == product->seen[ltl->at_proc] + 1)
      continue;
    const bool value = values[bpi_bdd_var(bpi_slot_of(e, var), BPI_CURRENT)];
    memory &= bpi_vec_push(&ltl->point, (bpi_point_value){var, value});
  }
  bpi_release(values);
  ltl->found = memory;
  return memory;
}

static bp_status look_for_cycle(bp_ltl *ltl, bp_query *q)
{
  bpi_cycle *c = &ltl->cycle;
  c->nodes = ltl->limits.nodes;
  bool done = bpi_heads_make(&ltl->heads, ltl->engine, &ltl->stages[BPI_STAGE_CYCLE].product,
                             ltl->options.off & BP_ENGINE_POST) &&
              bpi_cycle_find(c, &ltl->heads, ltl->options.search, !ltl->options.no_monotone);
  ltl->components = c->components;
  ltl->rounds = c->rounds;
  if (done && c->found && !take_point(ltl, c)) {
    ltl->engine->stop = BP_REASON_MEMORY;
    done = false;
  }
  if (!bpi_going(ltl->engine)) return bpi_query_stopped(q, ltl->engine);
  if (done) return BP_OK;
  return bpi_fail(ltl->ctx, BP_E_INTERNAL, BPI_MSG_INTERNAL,
                  "a set of cycles without a cycle (a bug in libbp)");
}

bp_status bpi_ltl_search(bp_ltl *ltl)
{
  if (ltl->cycle_done) return BP_OK;
  bp_status status = bpi_ltl_stage(ltl, BPI_STAGE_CYCLE);
  if (status != BP_OK) return status;
  bpi_product_stage *s = &ltl->stages[BPI_STAGE_CYCLE];
  ltl->product_vertices = s->product.cfg->vertices.count;
  ltl->product_edges = s->product.cfg->succs.count;
  bpi_ltl_ready(ltl, BPI_STAGE_CYCLE);
  status = bpi_query_begin(s->query);
  if (status != BP_OK) return bpi_ltl_note(ltl, BPI_STAGE_CYCLE, status);
  const uint64_t start = bpi_cpu_ns();
  status = make_engine(ltl, s->query);
  if (status == BP_OK) {
    bpi_engine_start(ltl->engine, s->query->init.at, s->query->init.count);
    if (!bpi_engine_work(ltl->engine, BP_NONE, false))
      status = bpi_query_stopped(s->query, ltl->engine);
  }
  if (status == BP_OK) status = look_for_cycle(ltl, s->query);
  if (status == BP_OK) {
    ltl->cycle_done = true;
    s->query->steps += ltl->engine->steps;
    bpi_bdd_live(ltl->m); /* the peak is taken while they live */
    bpi_ltl_drop_search(ltl);
  }
  bpi_bdd_within_limit(ltl->m);
  ltl->cpu_ns += bpi_cpu_ns() - start;
  bpi_query_end(s->query);
  return bpi_ltl_note(ltl, BPI_STAGE_CYCLE, status);
}

void bpi_ltl_drop_search(bp_ltl *ltl)
{
  bpi_cycle_clear(&ltl->cycle);
  bpi_heads_clear(&ltl->heads);
  bpi_engine_unref(ltl->engine);
  ltl->engine = NULL;
}

/* ---- the run ------------------------------------------------------------- */

bp_status bp_ltl_run(bp_ltl *ltl)
{
  if (!ltl) return BP_E_INVALID;
  bpi_context_begin(ltl->ctx);
  ltl->begun = true;
  if (ltl->verdict != BP_LTL_UNDECIDED) return BP_OK;
  if (bp_automaton_is_empty(ltl->automaton) || !ltl->a.initial.count) {
    decide(ltl, BP_LTL_HOLDS, BP_LTL_WAY_EMPTY);
    return BP_OK;
  }
  bp_status status = BP_OK;
  if (ltl->a.safe && !ltl->options.no_safety && !ltl->safety_done) status = run_safety(ltl);
  if (status == BP_OK && ltl->verdict == BP_LTL_UNDECIDED) {
    status = bpi_ltl_search(ltl);
    if (status == BP_OK) decide(ltl, ltl->found ? BP_LTL_VIOLATED : BP_LTL_HOLDS, BP_LTL_WAY_CYCLE);
  }
  return status == BP_E_LIMIT || status == BP_E_NOMEM ? BP_OK : status;
}
