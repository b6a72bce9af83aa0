/* SPDX-License-Identifier: MIT */
#include "remopla/world.h"

#include "program/spelling.h"

bool bpi_world_error(bpi_world *w, bpi_message number, uint32_t at, uint32_t symbol,
                     const char *format)
{
  char text[256];
  snprintf(text, sizeof text, "%s%s", bpi_draft_quote(w->d, symbol).text, format);
  const uint32_t len = w->d->symbols.at[symbol].len;
  const bp_range range = bpi_source_range(w->source, at, at + len);
  bpi_draft_error(w->d, number, NULL, &range, "%s", text);
  return false;
}

static bool no_memory(bpi_world *w)
{
  return bpi_draft_stop(w->d, BP_E_NOMEM);
}

/* ---- names -------------------------------------------------------------- */

static bpi_rmeanings *meanings(const bpi_world *w, uint32_t symbol)
{
  return &w->names.at[symbol];
}

static bool make_names(bpi_world *w)
{
  const bpi_rmeanings none = {BP_NONE, BP_NONE, BP_NONE, BP_NONE, BP_NONE, BP_NONE, BP_NONE};
  while (w->names.count < w->d->symbols.count)
    if (!bpi_vec_push(&w->names, none)) return no_memory(w);
  return true;
}

uint32_t bpi_world_variable(const bpi_world *w, uint32_t symbol)
{
  const bpi_rmeanings *m = meanings(w, symbol);
  return w->module != BP_NONE && m->local_module == w->module ? m->local : m->global;
}

uint32_t bpi_world_module(bpi_world *w, uint32_t symbol, uint32_t at)
{
  const uint32_t module = meanings(w, symbol)->module;
  if (module == BP_NONE) bpi_world_error(w, BPI_MSG_NO_PROC, at, symbol, " is no module");
  return module;
}

static void enter_decls(bpi_world *w, bpi_slice decls)
{
  for (uint32_t i = decls.first; i < decls.first + decls.count; i++) {
    bpi_rmeanings *m = meanings(w, w->t->decls.at[i].name);
    m->local = i;
    m->local_module = w->module;
  }
}

void bpi_world_enter(bpi_world *w, uint32_t module)
{
  const bpi_rmodule *m = &w->t->modules.at[module];
  w->module = module;
  enter_decls(w, m->formals);
  for (uint32_t i = 0; i < m->lines.count; i++)
    enter_decls(w, w->t->lines.at[m->lines.first + i].vars);
}

static bool find(void *user, uint32_t module, uint32_t name, bpi_rmeaning *out)
{
  const bpi_world *w = user;
  if (module != BP_NONE) return false;
  const uint32_t decl = bpi_world_variable(w, name), define = meanings(w, name)->define;
  if (decl != BP_NONE && w->t->decls.at[decl].datum != BP_NONE) {
    *out = (bpi_rmeaning){&w->d->program->data.at[w->t->decls.at[decl].datum], 0};
    return true;
  }
  if (decl != BP_NONE || define == BP_NONE) return false;
  *out = (bpi_rmeaning){NULL, w->values.at[define]};
  return true;
}

/* ---- sizes -------------------------------------------------------------- */

static bool constant(bpi_world *w, bpi_slice code, int64_t *out)
{
  bpi_reader_empty(&w->reader);
  return bpi_read_constant(&w->reader, code, out);
}

/* Bits of an int: those given, or the default. */
static bool read_bits(bpi_world *w, bpi_slice code, uint32_t symbol, uint32_t at, uint32_t *out)
{
  int64_t bits;
  if (code.count) {
    if (!constant(w, code, &bits)) return false;
  } else {
    const uint32_t by_default = bpi_draft_find(w->d, "DEFAULT_INT_BITS", 16);
    const uint32_t define = by_default < w->names.count ? meanings(w, by_default)->define : BP_NONE;
    if (define == BP_NONE)
      return bpi_world_error(w, BPI_MSG_SIZE, at, symbol,
                             " needs a number of bits, as DEFAULT_INT_BITS is not defined");
    bits = w->values.at[define];
  }
  if (bits < 1 || bits > BPI_MOST_BITS)
    return bpi_world_error(w, BPI_MSG_SIZE, at, symbol, " must have from 1 to 32 bits");
  *out = (uint32_t)bits;
  return true;
}

/* Bits of an int or enum, and the constants of an enum. */
static bool read_type(bpi_world *w, bpi_rtyping of, bpi_slice code, uint32_t symbol, uint32_t at,
                      uint32_t *width, bpi_slice *values)
{
  if (of.type == BPI_RTYPE_INT) return read_bits(w, code, symbol, at, width);
  if (of.type != BPI_RTYPE_ENUM) return true;
  const uint32_t index = meanings(w, of.name)->enumeration;
  if (index == BP_NONE)
    return bpi_world_error(w, BPI_MSG_UNDECLARED, of.at, of.name, " is no enum declared so far");
  *values = w->t->enums.at[index].values;
  for (*width = 1; (uint64_t)1 << *width < values->count;)
    ++*width;
  return true;
}

static bool read_sizes(bpi_world *w, bpi_rdecl *decl)
{
  int64_t size = 0;
  if (!read_type(w, decl->of, decl->bits, decl->name, decl->at, &decl->width, &decl->values))
    return false;
  if (decl->length.count) {
    if (!constant(w, decl->length, &size)) return false;
    if (size < 1)
      return bpi_world_error(w, BPI_MSG_SIZE, decl->at, decl->name, " must have an element");
  }
  const uint64_t width = decl->width ? decl->width : 1;
  if (size > BPI_MOST_VARS || w->bits + width * (uint64_t)(size ? size : 1) > BPI_MOST_VARS)
    return bpi_world_error(w, BPI_MSG_TOO_LARGE, decl->at, decl->name,
                           " is too large: variables can have 65536 bits in all");
  decl->size = (uint32_t)size;
  w->bits += (uint32_t)(width * (uint64_t)(size ? size : 1));
  return true;
}

static bool read_all_sizes(bpi_world *w, bpi_slice decls)
{
  bool good = true;
  for (uint32_t i = 0; i < decls.count; i++)
    good &= read_sizes(w, &w->t->decls.at[decls.first + i]);
  return good;
}

/* ---- meanings ----------------------------------------------------------- */

static bool twice(bpi_world *w, uint32_t at, uint32_t symbol)
{
  return bpi_world_error(w, BPI_MSG_DUPLICATE, at, symbol, " is declared twice");
}

static bool add_define(bpi_world *w, uint32_t index)
{
  const bpi_rdefine *define = &w->t->defines.at[index];
  bpi_rmeanings *m = meanings(w, define->name);
  int64_t value = 0;
  const bool good = constant(w, define->value, &value);
  if (!bpi_vec_push(&w->values, value)) return no_memory(w);
  if (m->define != BP_NONE || m->global != BP_NONE) return twice(w, define->at, define->name);
  m->define = index;
  return good;
}

static bool add_enum(bpi_world *w, uint32_t index)
{
  const bpi_renum *e = &w->t->enums.at[index];
  bool good = true;
  for (uint32_t i = 0; i < e->values.count && bpi_draft_going(w->d); i++)
    good &= add_define(w, e->values.first + i);
  if (meanings(w, e->name)->enumeration != BP_NONE) return twice(w, e->at, e->name);
  meanings(w, e->name)->enumeration = index;
  return good;
}

static bool add_globals(bpi_world *w, bpi_slice decls)
{
  bool good = read_all_sizes(w, decls);
  for (uint32_t i = decls.first; i < decls.first + decls.count; i++) {
    const bpi_rdecl *decl = &w->t->decls.at[i];
    bpi_rmeanings *m = meanings(w, decl->name);
    if (m->define != BP_NONE || m->global != BP_NONE) good = twice(w, decl->at, decl->name);
    m->global = i;
  }
  return good;
}

static bool add_locals(bpi_world *w, bpi_slice decls)
{
  bool good = read_all_sizes(w, decls);
  for (uint32_t i = decls.first; i < decls.first + decls.count; i++) {
    const bpi_rdecl *decl = &w->t->decls.at[i];
    bpi_rmeanings *m = meanings(w, decl->name);
    if (m->local_module == w->module) good = twice(w, decl->at, decl->name);
    m->local = i;
    m->local_module = w->module;
    const bp_range range =
        bpi_source_range(w->source, decl->at, decl->at + w->d->symbols.at[decl->name].len);
    if (m->global != BP_NONE)
      bpi_draft_doubt(w->d, BPI_MSG_SHADOW, NULL, &range, "%s hides the global of that name",
                      bpi_draft_quote(w->d, decl->name).text);
  }
  return good;
}

static bool add_module(bpi_world *w, uint32_t index)
{
  bpi_rmodule *m = &w->t->modules.at[index];
  bpi_rmeanings *names = meanings(w, m->name);
  bool good = true;
  good = read_type(w, m->of, m->bits, m->name, m->range.offset, &m->width, &m->values);
  if (m->proc == BP_NONE) {
    const uint32_t bits = w->bits; /* a declaration alone makes no variables */
    good &= read_all_sizes(w, m->formals);
    w->bits = bits;
    return good;
  }
  if (names->module != BP_NONE)
    return bpi_world_error(w, BPI_MSG_DUPLICATE, m->range.offset, m->name, " is defined twice");
  names->module = index;
  w->module = index;
  good &= add_locals(w, m->formals);
  for (uint32_t i = 0; i < m->formals.count; i++)
    if (w->t->decls.at[m->formals.first + i].size)
      good = bpi_world_error(w, BPI_MSG_TYPE, w->t->decls.at[m->formals.first + i].at,
                             w->t->decls.at[m->formals.first + i].name,
                             ": a parameter cannot be an array");
  for (uint32_t i = 0; i < m->lines.count; i++)
    good &= add_locals(w, w->t->lines.at[m->lines.first + i].vars);
  w->module = BP_NONE;
  return good;
}

static bool set_entry(bpi_world *w, const bpi_ritem *item, bool *given)
{
  if (*given)
    return bpi_world_error(w, BPI_MSG_DUPLICATE, item->at, item->index,
                           ": there is an init already");
  *given = true;
  if (!w->d->program->entry_given) w->d->entry = item->index;
  return true;
}

static bool add_items(bpi_world *w)
{
  bool good = true, given = false;
  for (uint32_t i = 0; i < w->t->items.count && bpi_draft_going(w->d); i++) {
    const bpi_ritem *item = &w->t->items.at[i];
    switch (item->kind) {
    case BPI_RITEM_DEFINE: good &= add_define(w, item->index); break;
    case BPI_RITEM_ENUM: good &= add_enum(w, item->index); break;
    case BPI_RITEM_LINE: good &= add_globals(w, w->t->lines.at[item->index].vars); break;
    case BPI_RITEM_INIT: good &= set_entry(w, item, &given); break;
    default: good &= add_module(w, item->index);
    }
  }
  return good;
}

static bool same_type(bpi_rtyping a, bpi_rtyping b)
{
  return a.type == b.type && (a.type != BPI_RTYPE_ENUM || a.name == b.name);
}

/* A declaration must say the same as the module. */
static bool check_forward(bpi_world *w, const bpi_rmodule *f)
{
  const uint32_t index = meanings(w, f->name)->module;
  if (index == BP_NONE) return true; /* calls complain */
  const bpi_rmodule *m = &w->t->modules.at[index];
  bool same =
      same_type(f->of, m->of) && f->width == m->width && f->formals.count == m->formals.count;
  for (uint32_t i = 0; same && i < f->formals.count; i++) {
    const bpi_rdecl *a = &w->t->decls.at[f->formals.first + i];
    const bpi_rdecl *b = &w->t->decls.at[m->formals.first + i];
    same = same_type(a->of, b->of) && a->width == b->width && a->size == b->size;
  }
  return same || bpi_world_error(w, BPI_MSG_TYPE, f->range.offset, f->name,
                                 " is defined with another type");
}

/* ---- variables ---------------------------------------------------------- */

/* The datum of a decl, its variables still to come. */
static bool add_datum(bpi_world *w, bpi_rdecl *decl, uint32_t proc, bp_var_kind kind)
{
  bp_program *p = w->d->program;
  const uint32_t len = w->d->symbols.at[decl->name].len;
  const bpi_datum datum = {.name = w->d->symbols.at[decl->name].name,
                           .proc = proc,
                           .bits = decl->width,
                           .length = decl->size,
                           .values = decl->values,
                           .first = p->data_vars.count,
                           .kind = (uint8_t)kind,
                           .range = bpi_source_range(w->source, decl->at, decl->at + len)};
  decl->datum = p->data.count;
  const uint32_t count = (decl->width ? decl->width : 1) * (decl->size ? decl->size : 1);
  if (!bpi_vec_push(&p->data, datum) || !bpi_vec_reserve(&p->data_vars, count)) return no_memory(w);
  for (uint32_t i = 0; i < count; i++)
    p->data_vars.at[p->data_vars.count++] = BP_NONE;
  return true;
}

static bool add_var(bpi_world *w, const char *name, uint32_t proc, bp_var_kind kind, bp_range range)
{
  bp_program *p = w->d->program;
  const uint32_t symbol = bpi_draft_symbol(w->d, name, strlen(name));
  const bpi_var var = {
      .name = symbol, .proc = proc, .kind = (uint8_t)kind, .init = BP_NONE, .range = range};
  if (symbol == BP_NONE || !bpi_vec_push(&p->vars, var)) return no_memory(w);
  if (kind == BP_VAR_GLOBAL && !bpi_vec_push(&p->globals, p->vars.count - 1)) return no_memory(w);
  return true;
}

/* Whether a global enum has the name of a local: what is assumed of it where it is hidden must not be
 * read as said of the local, when the boolean program is printed. */
static bool hides_enum(const bpi_world *w, const bpi_datum *datum, const char *name, size_t len)
{
  const uint32_t symbol = bpi_draft_find(w->d, name, len);
  if (datum->proc == BP_NONE || symbol >= w->names.count) return false;
  const uint32_t global = meanings(w, symbol)->global;
  return global != BP_NONE && w->t->decls.at[global].values.count;
}

/* `x$2` for bit 2 of x, `a$3$2` for that of a[3], `$$` in those that hide an enum; a bool keeps its name.
 * No name of Remopla has a `$`. */
static bool add_bit(bpi_world *w, const bpi_datum *datum, uint32_t element, uint32_t bit)
{
  char name[320];
  bp_program *p = w->d->program;
  const char *source = bpi_name(p, datum->name);
  const size_t len = strlen(source);
  const char *mark = hides_enum(w, datum, source, len) ? "$$" : "$";
  if (!datum->length && !datum->bits) {
    const bool plain = bpi_is_plain_name(source, len, BPI_NAME_VAR);
    snprintf(name, sizeof name, plain ? "%s" : "{%s}", source);
  } else if (!datum->length) {
    snprintf(name, sizeof name, "%s%s%u", source, mark, (unsigned)bit);
  } else if (!datum->bits) {
    snprintf(name, sizeof name, "%s%s%u", source, mark, (unsigned)element);
  } else {
    snprintf(name, sizeof name, "%s%s%u$%u", source, mark, (unsigned)element, (unsigned)bit);
  }
  const uint32_t width = datum->bits ? datum->bits : 1;
  p->data_vars.at[datum->first + element * width + bit] = p->vars.count;
  return add_var(w, name, datum->proc, (bp_var_kind)datum->kind, datum->range);
}

/* Which of these variables are bits of one number. */
static void join_bits(bpi_world *w, uint32_t first)
{
  bp_program *p = w->d->program;
  for (uint32_t i = first; i < p->data.count; i++) {
    const bpi_datum *datum = &p->data.at[i];
    for (uint32_t k = 0; datum->bits && k < (datum->length ? datum->length : 1); k++)
      bpi_program_number(p, p->data_vars.at + datum->first + k * datum->bits, datum->bits);
  }
}

/* The variables of data from `first` on, interleaved: all lowest bits, then all second ones. What is
 * compared and added bit by bit stands together so. */
static bool add_vars(bpi_world *w, uint32_t first)
{
  bp_program *p = w->d->program;
  bool more = true;
  for (uint32_t bit = 0; more; bit++) {
    more = false;
    for (uint32_t i = first; i < p->data.count; i++) {
      const bpi_datum datum = p->data.at[i];
      const uint32_t width = datum.bits ? datum.bits : 1;
      if (bit >= width) continue;
      more = true;
      for (uint32_t k = 0; k < (datum.length ? datum.length : 1); k++)
        if (!add_bit(w, &datum, k, bit)) return false;
    }
  }
  join_bits(w, first);
  return true;
}

static bool make_globals(bpi_world *w)
{
  for (uint32_t i = 0; i < w->t->items.count; i++) {
    if (w->t->items.at[i].kind != BPI_RITEM_LINE) continue;
    const bpi_slice vars = w->t->lines.at[w->t->items.at[i].index].vars;
    for (uint32_t k = 0; k < vars.count; k++)
      if (!add_datum(w, &w->t->decls.at[vars.first + k], BP_NONE, BP_VAR_GLOBAL)) return false;
  }
  return add_vars(w, 0);
}

bool bpi_needs_spares(const bpi_rside *side, const bpi_rdecl *target, const bpi_rmodule *callee)
{
  return side->index.count || target->size || target->width != callee->width ||
         target->values.count != callee->values.count;
}

/* How many bits a result of the calls in a module may have to wait in. */
static void count_spares(bpi_world *w, bpi_rmodule *m)
{
  for (uint32_t i = m->stmts.first; i < m->stmts.first + m->stmts.count; i++) {
    const bpi_rstmt *s = &w->t->stmts.at[i];
    if (s->kind != BPI_RSTMT_CALL || !s->sides.count) continue;
    const bpi_rside *side = &w->t->sides.at[s->sides.first];
    const uint32_t callee = meanings(w, s->name)->module;
    const uint32_t target = bpi_world_variable(w, side->name);
    if (callee == BP_NONE || target == BP_NONE) continue;
    const bpi_rmodule *c = &w->t->modules.at[callee];
    const uint32_t width = c->width ? c->width : 1;
    if (bpi_needs_spares(side, &w->t->decls.at[target], c) && width > m->spare) m->spare = width;
  }
}

static bool make_locals(bpi_world *w, bpi_rmodule *m, bpi_proc *proc, uint32_t number)
{
  bp_program *p = w->d->program;
  proc->vars.first = p->vars.count;
  uint32_t first = p->data.count;
  for (uint32_t k = 0; k < m->formals.count; k++)
    if (!add_datum(w, &w->t->decls.at[m->formals.first + k], number, BP_VAR_FORMAL)) return false;
  if (!add_vars(w, first)) return false;
  proc->formals = p->vars.count - proc->vars.first;
  first = p->data.count;
  for (uint32_t i = 0; i < m->lines.count; i++) {
    const bpi_slice vars = w->t->lines.at[m->lines.first + i].vars;
    for (uint32_t k = 0; k < vars.count; k++)
      if (!add_datum(w, &w->t->decls.at[vars.first + k], number, BP_VAR_LOCAL)) return false;
  }
  if (!add_vars(w, first)) return false;
  m->spares = p->vars.count;
  for (uint32_t i = 0; i < m->spare; i++) {
    char name[16];
    snprintf(name, sizeof name, "$r%u", (unsigned)i);
    if (!add_var(w, name, number, BP_VAR_LOCAL, m->range)) return false;
  }
  for (uint32_t i = 0; i < m->spare; i++) {
    p->vars.at[m->spares + i].number = m->spares + 1;
    p->vars.at[m->spares + i].weight = (uint16_t)i;
  }
  proc->vars.count = p->vars.count - proc->vars.first;
  return true;
}

static bool make_modules(bpi_world *w)
{
  bp_program *p = w->d->program;
  for (uint32_t i = 0; i < w->t->modules.count && bpi_draft_going(w->d); i++) {
    bpi_rmodule *m = &w->t->modules.at[i];
    if (m->proc == BP_NONE) continue;
    bpi_world_enter(w, i);
    count_spares(w, m);
    bpi_proc proc = {.name = m->name, .range = m->range, .end = m->end};
    proc.results = m->of.type == BPI_RTYPE_VOID ? 0 : m->width ? m->width : 1;
    m->proc = p->procs.count;
    if (!make_locals(w, m, &proc, m->proc)) return false;
    if (!bpi_vec_push(&p->procs, proc)) return no_memory(w);
  }
  w->module = BP_NONE;
  return bpi_draft_going(w->d);
}

static bool keep_defines(bpi_world *w)
{
  for (uint32_t i = 0; i < w->t->defines.count; i++) {
    const uint32_t name = w->d->symbols.at[w->t->defines.at[i].name].name;
    const bpi_define define = {name, w->values.at[i]};
    if (!bpi_vec_push(&w->d->program->defines, define)) return no_memory(w);
  }
  return true;
}

bool bpi_declare(bpi_world *w)
{
  w->module = BP_NONE;
  w->reader.find = find;
  w->reader.user = w;
  if (!make_names(w) || !add_items(w)) return false;
  bool good = true;
  for (uint32_t i = 0; i < w->t->modules.count; i++)
    if (w->t->modules.at[i].proc == BP_NONE) good &= check_forward(w, &w->t->modules.at[i]);
  return good && keep_defines(w) && make_globals(w) && make_modules(w);
}
