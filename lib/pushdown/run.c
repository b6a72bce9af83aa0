/* SPDX-License-Identifier: MIT
 * Calls that compute: what begins, stops and ends them; sets of variables and renamings. */
#include "pushdown/pushdown.h"

/* ---- start and end --------------------------------------------------------- */

static bp_status check_slots(bpi_run *run)
{
  const uint64_t slots = run->p->globals.count + 2 * (uint64_t)run->p->max_locals;
  if (slots <= bpi_bdd_most_slots(run->m) && bpi_bdd_ensure_slots(run->m, (uint32_t)slots))
    return BP_OK;
  if (!bpi_bdd_ok(run->m)) return bpi_run_end(run);
  bpi_bdd_leave(run->m);
  return bpi_fail(run->ctx, BP_E_LIMIT, BPI_MSG_VARIABLES,
                  "the system needs more BDD variables than the manager allows");
}

bp_status bpi_run_begin(bpi_run *run, const bp_configurations *set, const bp_limits *limits)
{
  bpi_context_begin(set->ctx);
  if (limits && limits->size != sizeof *limits)
    return bpi_fail(set->ctx, BP_E_INVALID, BPI_MSG_ARGUMENT,
                    "limits->size is not sizeof(bp_limits)");
  *run = (bpi_run){.ctx = set->ctx, .m = set->m, .p = set->p, .status = BP_OK};
  run->watch = bpi_context_watch(set->ctx);
  run->step_limit = limits && limits->steps ? limits->steps : UINT64_MAX;
  run->progress = set->progress;
  run->progress_user = set->progress_user;
  const uint64_t deadline = bpi_deadline_ns(limits ? limits->wall_ms : 0);
  if (deadline && (!run->watch.deadline_ns || deadline < run->watch.deadline_ns))
    run->watch.deadline_ns = deadline;
  if (!bpi_bdd_enter(run->m, &run->watch, limits ? limits->nodes : 0))
    return bpi_fail(run->ctx, BP_E_BUSY, BPI_MSG_BUSY,
                    "the manager is at work, on another thread or in the call whose callback this "
                    "is");
  if (bpi_bdd_ok(run->m) || bpi_bdd_recover(run->m)) return check_slots(run);
  bpi_bdd_leave(run->m);
  return bpi_fail(run->ctx, BP_E_POISONED, BPI_MSG_POISONED,
                  "an allocation failed inside the BDD kernel; make a new manager");
}

static bp_status failure(const bpi_run *run, bpi_bdd_error error)
{
  if (run->status == BP_E_NOMEM || (run->status == BP_OK && error == BPI_BDD_MEMORY))
    return bpi_no_memory(run->ctx);
  if (run->counted) return bpi_fail(run->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: steps");
  if (run->status == BP_E_LIMIT || error == BPI_BDD_STOPPED)
    return bpi_fail(run->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: %s",
                    run->watch.cancelled ? "cancelled" : "time");
  if (run->status != BP_OK || error == BPI_BDD_OK) return run->status;
  if (error == BPI_BDD_NODES)
    return bpi_fail(run->ctx, BP_E_LIMIT, BPI_MSG_LIMIT, "stopped: nodes");
  if (error == BPI_BDD_POISONED)
    return bpi_fail(run->ctx, BP_E_POISONED, BPI_MSG_POISONED,
                    "an allocation failed inside the BDD kernel; make a new manager");
  return bpi_fail(run->ctx, BP_E_INTERNAL, BPI_MSG_INTERNAL, "the BDD kernel failed");
}

bp_status bpi_run_end(bpi_run *run)
{
  const bp_status status = failure(run, bpi_bdd_status(run->m));
  bpi_bdd_recover(run->m);
  bpi_bdd_leave(run->m);
  return status;
}

bp_status bpi_run_made(bpi_run *run, const bp_configurations *from, bp_configurations *made)
{
  if (made) {
    made->steps = from->steps + run->steps;
    made->progress = from->progress;
    made->progress_user = from->progress_user;
  }
  return bpi_run_end(run);
}

static void report(bpi_run *run)
{
  const uint64_t now = run->progress ? bpi_now_ns() : 0;
  if (!run->progress || now - run->progress_ns < 20000000u) return;
  run->progress_ns = now;
  if (run->progress(run->steps, bpi_bdd_peak(run->m), run->progress_user) != BP_STOP) return;
  run->watch.cancelled = true;
  run->status = BP_E_LIMIT;
}

bool bpi_run_tick(bpi_run *run)
{
  if (!bpi_run_good(run)) return false;
  if (run->steps >= run->step_limit) {
    run->counted = true;
    run->status = BP_E_LIMIT;
  } else if (bpi_watch_expired(&run->watch)) {
    run->status = BP_E_LIMIT;
  }
  run->steps++;
  report(run);
  return bpi_bdd_within_limit(run->m) && bpi_run_good(run);
}

bool bpi_run_look(bpi_run *run)
{
  if (run->status == BP_OK && bpi_watch_expired(&run->watch)) run->status = BP_E_LIMIT;
  return bpi_run_good(run);
}

bool bpi_run_no_memory(bpi_run *run)
{
  if (run->status == BP_OK) run->status = BP_E_NOMEM;
  return false;
}

/* ---- variables --------------------------------------------------------------- */

typedef BPI_VEC(uint32_t) var_list;

bpi_bdd bpi_copies(bpi_run *run, uint32_t globals, uint32_t locals)
{
  var_list vars = {0};
  bool memory = true;
  for (uint32_t i = 0; i < run->p->globals.count; i++)
    for (uint32_t copy = 0; copy < 3; copy++)
      if (globals >> copy & 1) memory &= bpi_vec_push(&vars, bpi_global_var(i, copy));
  for (uint32_t i = 0; i < run->p->max_locals; i++)
    for (uint32_t copy = 0; copy < 6; copy++)
      if (locals >> copy & 1) memory &= bpi_vec_push(&vars, bpi_local_var(run->p, i, copy));
  if (!memory) bpi_run_no_memory(run);
  const bpi_bdd set = memory ? bpi_bdd_set(run->m, vars.at, vars.count) : BPI_FALSE;
  bpi_vec_free(&vars);
  return set;
}

static bool add_pair(var_list *from, var_list *to, uint32_t base, uint8_t pair)
{
  return bpi_vec_push(from, base + pair / 16) && bpi_vec_push(to, base + pair % 16);
}

const bpi_rename *bpi_copies_rename(bpi_run *run, const uint8_t *globals, const uint8_t *locals)
{
  var_list from = {0}, to = {0};
  bool memory = true;
  for (uint32_t i = 0; i < run->p->globals.count; i++)
    for (const uint8_t *pair = globals; *pair != BPI_NO_COPY; pair++)
      memory &= add_pair(&from, &to, bpi_global_var(i, 0), *pair);
  for (uint32_t i = 0; i < run->p->max_locals; i++)
    for (const uint8_t *pair = locals; *pair != BPI_NO_COPY; pair++)
      memory &= add_pair(&from, &to, bpi_local_var(run->p, i, 0), *pair);
  if (!memory) bpi_run_no_memory(run);
  const bpi_rename *rename = memory ? bpi_bdd_rename_new(run->m, from.at, to.at, from.count) : NULL;
  bpi_vec_free(&from);
  bpi_vec_free(&to);
  return rename;
}

bpi_bdd bpi_renamed(bpi_run *run, bpi_bdd a, const bpi_rename *rename)
{
  return rename ? bpi_bdd_rename(run->m, a, rename) : BPI_FALSE;
}

void bpi_run_join(bpi_run *run, bpi_bdd *all, bpi_bdd one)
{
  const bpi_bdd both = bpi_bdd_or(run->m, *all, one);
  bpi_bdd_drop(run->m, *all);
  bpi_bdd_drop(run->m, one);
  *all = both;
}

void bpi_run_meet(bpi_run *run, bpi_bdd *all, bpi_bdd one)
{
  const bpi_bdd both = bpi_bdd_and(run->m, *all, one);
  bpi_bdd_drop(run->m, *all);
  bpi_bdd_drop(run->m, one);
  *all = both;
}

void bpi_bdds_free(bpi_run *run, bpi_bdd *bdds, uint32_t count)
{
  for (uint32_t i = 0; bdds && i < count; i++)
    bpi_bdd_drop(run->m, bdds[i]);
  bpi_release(bdds);
}
