/* SPDX-License-Identifier: MIT */
#include "program/concurrent.h"

/* Lines are kept for so many procedures; a program with more can do without. */
enum { MAX_EXCERPTS = 1000 };

/* ---- finding ----------------------------------------------------------- */

/* Whether the first construct of the procedure is known already, if this one is at `offset` or
 * behind. Labels come before the statements of their procedure, so an earlier place can come later. */
static bool known(const bpi_draft *d, uint32_t proc, uint32_t offset)
{
  const bp_program *p = d->program;
  const bpi_concurrent *last =
      p->concurrents.count ? &p->concurrents.at[p->concurrents.count - 1] : NULL;
  return last && last->proc == proc && (!d->text || offset >= last->range.offset);
}

static void note(bpi_draft *d, uint32_t proc, uint32_t stmt, const bp_range *range)
{
  bp_program *p = d->program;
  if (known(d, proc, range->offset)) return;
  const bpi_concurrent first = {.proc = proc, .file = bpi_stmt_file(p, stmt), .range = *range};
  if (p->concurrents.count && p->concurrents.at[p->concurrents.count - 1].proc == proc)
    p->concurrents.at[p->concurrents.count - 1] = first;
  else if (!bpi_vec_push(&p->concurrents, first))
    bpi_draft_stop(d, BP_E_NOMEM);
}

void bpi_concurrent_label(bpi_draft *d, uint32_t label, uint32_t proc)
{
  const bpi_label *l = &d->program->labels.at[label];
  if (strncmp(bpi_draft_text(d, l->name), "ASYNC_", 6)) return;
  const bp_range range = bpi_draft_label_place(d, label);
  d->program->procs.at[proc].concurrent++;
  note(d, proc, l->stmt, &range);
}

static uint32_t mixed_len(const bpi_draft *d, uint32_t var)
{
  return d->symbols.at[d->program->vars.at[var].name].len + 1;
}

/* The first one in a statement's expressions is the only one that matters: its place is looked up. */
void bpi_concurrent_name(bpi_draft *d, uint32_t stmt, uint32_t proc, uint32_t code)
{
  d->program->procs.at[proc].concurrent++;
  if (d->mixed_stmt == stmt || known(d, proc, bpi_stmt_range(d->program, stmt).offset)) return;
  d->mixed_stmt = stmt;
  const uint32_t len = mixed_len(d, d->program->code.at[code].arg);
  const bp_range range = bpi_draft_name_place(d, stmt, code, len);
  note(d, proc, stmt, &range);
}

static void mixed_targets(bpi_draft *d, bpi_slice targets, uint32_t stmt, uint32_t proc)
{
  const bp_program *p = d->program;
  bool first = true;
  for (; d->mixed < p->mixed.count; d->mixed++, first = false) {
    const bpi_mixed_target *m = &p->mixed.at[d->mixed];
    if (m->id < targets.first || m->id >= targets.first + targets.count) return;
    d->program->procs.at[proc].concurrent++;
    if (!first || known(d, proc, bpi_stmt_range(p, stmt).offset)) continue;
    const bp_range range =
        bpi_draft_target_place(d, stmt, m->id - targets.first, mixed_len(d, m->var));
    note(d, proc, stmt, &range);
  }
}

void bpi_concurrent_stmt(bpi_draft *d, const bpi_stmt *s, uint32_t stmt, uint32_t proc)
{
  mixed_targets(d, s->targets, stmt, proc);
  if (!bpi_kind_concurrent(s->kind)) return;
  const bp_range range = bpi_stmt_range(d->program, stmt);
  d->program->procs.at[proc].concurrent++;
  note(d, proc, stmt, &range);
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
  for (uint32_t i = 0; i < p->labels.count; i++)
    if (p->labels.at[i].stmt - proc->stmts.first < proc->stmts.count &&
        begins(bpi_draft_text(d, p->labels.at[i].name), "endinit", true))
      return true;
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
