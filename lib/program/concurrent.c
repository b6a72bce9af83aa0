/* SPDX-License-Identifier: MIT */
#include "program/concurrent.h"

/* Lines are kept for so many procedures; a program with more can do without. */
enum { MAX_EXCERPTS = 1000 };

/* ---- finding ----------------------------------------------------------- */

/* Labels come before the statements of their procedure, so an earlier place can come later. */
static void note(bpi_draft *d, uint32_t proc, uint32_t file, const bp_range *range)
{
  bp_program *p = d->program;
  bpi_concurrent *last = p->concurrents.count ? &p->concurrents.at[p->concurrents.count - 1] : NULL;
  p->procs.at[proc].concurrent++;
  if (last && last->proc == proc) {
    if (!d->text || range->offset >= last->range.offset) return;
    last->range = *range;
    last->file = file;
    return;
  }
  const bpi_concurrent first = {.proc = proc, .file = file, .range = *range};
  if (!bpi_vec_push(&p->concurrents, first)) bpi_draft_stop(d, BP_E_NOMEM);
}

void bpi_concurrent_label(bpi_draft *d, uint32_t label)
{
  const bpi_label *l = &d->program->labels.at[label];
  const bpi_stmt *stmt = &d->program->stmts.at[l->stmt];
  if (strncmp(bpi_draft_text(d, l->name), "ASYNC_", 6)) return;
  const bp_range range = bpi_draft_place(d, bpi_draft_at(&d->label_at, label),
                                         d->symbols.at[l->name].len, &stmt->range);
  note(d, stmt->proc, stmt->file, &range);
}

void bpi_concurrent_name(bpi_draft *d, const bpi_stmt *stmt, uint32_t var, uint32_t offset)
{
  const uint32_t len = d->symbols.at[d->program->vars.at[var].name].len + 1;
  const bp_range range = bpi_draft_place(d, offset, len, &stmt->range);
  note(d, stmt->proc, stmt->file, &range);
}

void bpi_concurrent_stmt(bpi_draft *d, const bpi_stmt *stmt)
{
  const bp_program *p = d->program;
  const bpi_slice targets = stmt->targets;
  while (d->mixed < p->mixed.count && p->mixed.at[d->mixed].id >= targets.first &&
         p->mixed.at[d->mixed].id < targets.first + targets.count) {
    const bpi_mixed_target *m = &p->mixed.at[d->mixed++];
    bpi_concurrent_name(d, stmt, m->var, bpi_draft_at(&d->id_at, m->id));
  }
  switch (stmt->kind) {
  case BP_STMT_START_THREAD:
  case BP_STMT_END_THREAD:
  case BP_STMT_ATOMIC_BEGIN:
  case BP_STMT_ATOMIC_END:
  case BP_STMT_SYNC: note(d, stmt->proc, stmt->file, &stmt->range); break;
  default: break;
  }
}

/* ---- threads in the style of Getafix ----------------------------------- */

/* Whether a name begins with a word, or is it, in letters of any case. */
static bool begins(const char *name, const char *word, bool whole)
{
  for (; *word; name++, word++) {
    const char letter = *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    if (letter != *word) return false;
  }
  return !whole || !*name;
}

static bool has_endinit(const bpi_draft *d, const bpi_proc *proc)
{
  const bp_program *p = d->program;
  for (uint32_t i = proc->stmts.first; i < proc->stmts.first + proc->stmts.count; i++) {
    const bpi_slice labels = p->stmts.at[i].labels;
    for (uint32_t j = labels.first; j < labels.first + labels.count; j++)
      if (begins(bpi_draft_text(d, p->labels.at[j].name), "endinit", true)) return true;
  }
  return false;
}

/* How many procedures are threads there: thread* that nobody calls, beside init with endinit. The
 * first of them is noted. */
static uint32_t count_threads(bpi_draft *d, const uint8_t *called)
{
  bp_program *p = d->program;
  bool init = false;
  uint32_t threads = 0;
  bpi_concurrent first = {.file = p->name};
  for (uint32_t i = 0; i < p->procs.count; i++) {
    const bpi_proc *proc = &p->procs.at[i];
    const char *name = bpi_draft_text(d, proc->name);
    if (begins(name, "init", true)) {
      init = init || has_endinit(d, proc);
    } else if (begins(name, "thread", false) && !called[i] && !threads++) {
      first.proc = i;
      first.range = proc->range;
    }
  }
  if (!init || !threads) return 0;
  if (!bpi_vec_push(&p->concurrents, first)) bpi_draft_stop(d, BP_E_NOMEM);
  return threads;
}

/* ---- showing ----------------------------------------------------------- */

static bool keep_excerpt(bp_program *p, bpi_concurrent *c, const bpi_excerpt *cut)
{
  const uint32_t bytes = (uint32_t)strlen(cut->line) + 1;
  if (!bpi_vec_reserve(&p->names, bytes)) return false;
  c->excerpt = p->names.count;
  c->caret = cut->caret;
  c->underline = cut->underline;
  memcpy(p->names.at + p->names.count, cut->line, bytes);
  p->names.count += bytes;
  return true;
}

static void keep_excerpts(bpi_draft *d)
{
  bp_program *p = d->program;
  for (uint32_t i = 0; i < p->concurrents.count && i < MAX_EXCERPTS; i++) {
    const bpi_excerpt cut = bpi_cut_excerpt(d->text, d->len, &p->concurrents.at[i].range);
    if (!keep_excerpt(p, &p->concurrents.at[i], &cut)) bpi_draft_stop(d, BP_E_NOMEM);
  }
}

void bpi_concurrent_count(bpi_draft *d, const uint8_t *called)
{
  bp_program *p = d->program;
  p->concurrent = count_threads(d, called);
  for (uint32_t i = 0; i < p->procs.count; i++)
    p->concurrent += p->procs.at[i].concurrent;
  if (d->text && !d->errors) keep_excerpts(d);
}
