/* SPDX-License-Identifier: MIT */
#include "product/proposition.h"

#include "program/draft.h"

typedef struct reader {
  bp_context *ctx;
  const bp_cfg *cfg;
  const bp_program *p;
  const char *file;
  const char *text; /* the source, or NULL */
  size_t len;
  bp_range range;   /* of the proposition at hand */
  bool joined;      /* names in the expression can be joined ones */
  uint32_t locals;  /* VALUE: whose locals were read, BP_NONE: nobody's */
  bool mixed;       /* of more than one procedure */
  bool told;        /* what is wrong with a name in it */
  bp_status status; /* BP_OK or BP_E_NOMEM */
} reader;

#define COMPLAIN(r, number, ...)                                                                   \
  bpi_diagnose((r)->ctx, BP_ERROR, number, (r)->file, &(r)->range, (r)->text, (r)->len, __VA_ARGS__)

static bpi_quoted quote(const char *text)
{
  return bpi_quote(text, strlen(text));
}

/* ---- sets of vertices ---------------------------------------------------- */

static bool make_set(reader *r, bpi_prop *prop)
{
  prop->set = bpi_zalloc(r->cfg->vertices.count / 64 + 1, sizeof *prop->set);
  if (!prop->set) r->status = BP_E_NOMEM;
  return prop->set != NULL;
}

static void add_labels(reader *r, bpi_prop *prop, uint32_t proc, const char *name)
{
  bpi_slice within = {0, r->p->stmts.count};
  if (proc != BP_NONE) within = r->p->procs.at[proc].stmts;
  if (!make_set(r, prop)) return;
  for (uint32_t i = 0; i < r->p->labels.count; i++) {
    const bpi_label *label = &r->p->labels.at[i];
    if (label->stmt - within.first >= within.count || strcmp(bpi_name(r->p, label->name), name))
      continue;
    const uint32_t vertex = bpi_vertex_of(r->cfg, label->stmt);
    if (vertex != BP_NONE) bpi_bit_add(prop->set, vertex);
  }
}

/* The first positions of a procedure: its entry, or what follows silently; and where that fails. */
static void add_first(reader *r, bpi_prop *prop)
{
  const bp_cfg *cfg = r->cfg;
  BPI_VEC(uint32_t) todo = {0};
  if (!make_set(r, prop) || cfg->procs.at[prop->proc].entry == BP_NONE) return;
  uint64_t *seen = bpi_zalloc(cfg->vertices.count / 64 + 1, sizeof *seen);
  bool memory = seen && bpi_vec_push(&todo, cfg->procs.at[prop->proc].entry);
  while (memory && todo.count) {
    const uint32_t vertex = todo.at[--todo.count];
    const bpi_vertex *v = &cfg->vertices.at[vertex];
    if (bpi_bit(seen, vertex)) continue;
    bpi_bit_add(seen, vertex);
    if (!bpi_vertex_is_silent(v) || v->kind == BPI_VERTEX_ASSERT) bpi_bit_add(prop->set, vertex);
    if (!bpi_vertex_is_silent(v)) continue;
    for (uint32_t i = 0; memory && i < bpi_succs(v).count; i++)
      memory = bpi_vec_push(&todo, cfg->succs.at[bpi_succs(v).first + i]);
  }
  if (!memory) r->status = BP_E_NOMEM;
  bpi_vec_free(&todo);
  bpi_release(seen);
}

/* Whether a silent assertion is part of a return: what was made of one statement has one place. */
static bool guards_return(const bp_cfg *cfg, uint32_t vertex)
{
  const bpi_vertex *v = &cfg->vertices.at[vertex];
  if (v->kind != BPI_VERTEX_ASSERT || !bpi_vertex_is_silent(v)) return false;
  const size_t offset = bpi_stmt_range(cfg->program, v->stmt).offset;
  while (v->kind != BPI_VERTEX_RETURN && bpi_vertex_is_silent(v) && bpi_succs(v).count == 1)
    v = &cfg->vertices.at[cfg->succs.at[bpi_succs(v).first]];
  return v->kind == BPI_VERTEX_RETURN && v->stmt != BP_NONE &&
         bpi_stmt_range(cfg->program, v->stmt).offset == offset;
}

/* Falling off the end happens at the return without statement, or, without results, at the exit. */
static void add_last(reader *r, bpi_prop *prop)
{
  const bpi_slice all = r->cfg->procs.at[prop->proc].vertices;
  if (!make_set(r, prop)) return;
  for (uint32_t i = all.first; i < all.first + all.count; i++) {
    const uint32_t kind = r->cfg->vertices.at[i].kind;
    if (kind == BPI_VERTEX_RETURN || kind == BPI_VERTEX_EXIT || guards_return(r->cfg, i))
      bpi_bit_add(prop->set, i);
  }
}

/* ---- names --------------------------------------------------------------- */

static bool is_local_somewhere(const bp_program *p, const char *name)
{
  for (uint32_t i = 0; i < p->vars.count; i++)
    if (p->vars.at[i].proc != BP_NONE && !strcmp(bpi_name(p, p->vars.at[i].name), name))
      return true;
  return false;
}

static uint32_t find_local(const bp_program *p, uint32_t proc, const char *name)
{
  const uint32_t var = bp_program_find_var(p, proc, name);
  return var != BP_NONE && p->vars.at[var].proc == proc ? var : BP_NONE;
}

/* The procedure of that name; complains when there is none. */
static uint32_t find_proc(reader *r, const char *name)
{
  const uint32_t proc = bp_program_find_proc(r->p, name);
  if (proc == BP_NONE) COMPLAIN(r, BPI_MSG_NO_PROC, "there is no procedure %s", quote(name).text);
  return proc;
}

static void take_variable(reader *r, bpi_prop *prop, uint32_t var)
{
  prop->kind = BPI_PROP_VALUE;
  prop->proc = r->p->vars.at[var].proc;
  if (!bpi_vec_push(&prop->value, (bpi_instr){BPI_OP_VAR, var & BPI_MAX_ARGS}))
    r->status = BP_E_NOMEM;
}

/* A number, or an array: no variable has its name. */
static bool is_datum(const bp_program *p, uint32_t proc, const char *name)
{
  const uint32_t datum = bp_program_find_datum(p, proc, name);
  return datum != BP_NONE && bp_datum_proc(p, datum) == proc;
}

static void read_name(reader *r, bpi_prop *prop, const char *proc_name, const char *name)
{
  const bool qualified = *proc_name != '\0';
  const uint32_t proc = qualified ? find_proc(r, proc_name) : BP_NONE;
  if (qualified && proc == BP_NONE) return;
  const bool label = bp_program_find_label(r->p, proc, name, 0) != BP_NONE;
  const uint32_t var =
      qualified ? find_local(r->p, proc, name) : bp_program_find_var(r->p, BP_NONE, name);
  if (label != (var != BP_NONE)) {
    if (label) {
      prop->kind = BPI_PROP_LABEL;
      add_labels(r, prop, proc, name);
    } else {
      take_variable(r, prop, var);
    }
    return;
  }
  const bpi_quoted text = quote(name);
  if (!label && is_datum(r->p, proc, name))
    COMPLAIN(r, BPI_MSG_PROPOSITION,
             "%s is no single bit: say what it shall be, in quotes, as in \"%s%s%s%s == 1\"",
             text.text, proc_name, qualified ? "." : "", name,
             bp_datum_length(r->p, bp_program_find_datum(r->p, proc, name)) ? "[0]" : "");
  else if (qualified)
    COMPLAIN(r, BPI_MSG_PROPOSITION,
             label ? "%s is both a label and a variable of procedure %s"
                   : "%s is neither a label nor a local of procedure %s",
             text.text, quote(proc_name).text);
  else if (label)
    COMPLAIN(
        r, BPI_MSG_PROPOSITION,
        "%s is both a label and a variable: say PROC.%s for the label, \"(%s)\" for the variable",
        text.text, name, name);
  else if (is_local_somewhere(r->p, name))
    COMPLAIN(r, BPI_MSG_PROPOSITION, "%s is neither a label nor a global: say PROC.%s for a local",
             text.text, name);
  else
    COMPLAIN(r, BPI_MSG_PROPOSITION, "%s is neither a label nor a global", text.text);
}

/* ---- expressions --------------------------------------------------------- */

/* `proc.x` is no name of the program's language. So that its reader can be used, it becomes one name in
 * braces, with this byte between its parts. */
enum { DOT = '\001' };

static bool is_word(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '#';
}

/* The length of the name at `at`, 0: there is none. In Remopla a '-' is never part of it. */
static size_t name_length(const char *at, bool remopla)
{
  size_t len = 0;
  if (*at == '{') {
    len = strcspn(at + 1, "{}\n") + 2;
    return at[len - 1] == '}' ? len : 0;
  }
  while (is_word(at[len]) || (!remopla && len && at[len] == '-' && is_word(at[len + 1])))
    len++;
  return len;
}

/* A name without its braces: '{' in front tells that there were some. */
static char *put_part(char *to, const char *name, size_t len)
{
  const bool braced = *name == '{';
  *to++ = braced ? 'b' : 'p';
  memcpy(to, name + braced, len - 2 * braced);
  return to + len - 2 * braced;
}

static char *join_names(const char *text)
{
  char *out = bpi_alloc(strlen(text) * 3 + 1, 1), *to = out;
  while (out && *text) {
    const size_t left = name_length(text, false);
    const size_t right = left && text[left] == '.' ? name_length(text + left + 1, false) : 0;
    if (right) {
      *to++ = '{';
      to = put_part(to, text, left);
      *to++ = DOT;
      to = put_part(to, text + left + 1, right);
      *to++ = '}';
      text += left + 1 + right;
    } else {
      const size_t len = left ? left : 1;
      memcpy(to, text, len);
      to += len;
      text += len;
    }
  }
  if (out) *to = '\0';
  return out;
}

/* One part of a joined name, with its braces. The caller frees it. */
static char *split_part(const char *part, size_t len)
{
  char *name = bpi_alloc(len + 2, 1), *to = name;
  if (!name) return NULL;
  if (part[0] == 'b') *to++ = '{';
  memcpy(to, part + 1, len - 1);
  to += len - 1;
  if (part[0] == 'b') *to++ = '}';
  *to = '\0';
  return name;
}

static uint32_t joined_variable(reader *r, const char *name, const char *dot)
{
  char *proc = split_part(name + 1, (size_t)(dot - name - 1));
  char *var = split_part(dot + 1, strlen(dot + 1) - 1);
  uint32_t found = BP_NONE;
  if (proc && var) {
    const uint32_t id = r->told ? BP_NONE : find_proc(r, proc);
    if (id != BP_NONE) found = find_local(r->p, id, var);
    if (id != BP_NONE && found == BP_NONE)
      COMPLAIN(r, BPI_MSG_PROPOSITION, "%s is no local of procedure %s", quote(var).text,
               quote(proc).text);
    r->told |= found == BP_NONE;
  } else {
    r->status = BP_E_NOMEM;
  }
  bpi_release(proc);
  bpi_release(var);
  return found;
}

static bool meaning(void *user, const char *name, bpi_instr *operand)
{
  reader *r = user;
  const char *dot = r->joined ? strchr(name, DOT) : NULL;
  const uint32_t var =
      dot ? joined_variable(r, name, dot) : bp_program_find_var(r->p, BP_NONE, name);
  if (operand->op == BPI_OP_NEXT || var == BP_NONE) return false;
  const uint32_t proc = r->p->vars.at[var].proc;
  if (proc != BP_NONE) {
    r->mixed |= r->locals != BP_NONE && r->locals != proc;
    r->locals = proc;
  }
  operand->arg = var & BPI_MAX_ARGS;
  return true;
}

/* The first message of the reader of expressions, at the place of the proposition. */
static void pass_on(reader *r, const bp_context *inner)
{
  COMPLAIN(r, BPI_MSG_PROPOSITION, "in the expression: %s", bp_context_diagnostic_text(inner, 0));
}

static bp_status parse_boolean(reader *r, bpi_prop *prop, bp_context *inner, const char *text)
{
  r->joined = !strchr(text, DOT);
  char *joined = r->joined ? join_names(text) : bpi_strndup(text, strlen(text));
  const bp_status status =
      joined ? bpi_expression_scoped(&prop->value, inner, r->p, joined, "", meaning, r)
             : BP_E_NOMEM;
  bpi_release(joined);
  return status;
}

/* The module whose variables `text` names, as `module.x`; BP_NONE: none. */
static uint32_t module_of(reader *r, const char *text)
{
  uint32_t found = BP_NONE;
  for (size_t len; *text && r->status == BP_OK; text += len ? len : 1) {
    len = name_length(text, true);
    if (!len || text[len] != '.') continue;
    char *name = bpi_strndup(text, len);
    if (!name) r->status = BP_E_NOMEM;
    const uint32_t proc = name ? bp_program_find_proc(r->p, name) : BP_NONE;
    r->mixed |= proc != BP_NONE && found != BP_NONE && proc != found;
    if (proc != BP_NONE) found = proc;
    bpi_release(name);
  }
  return found;
}

/* In Remopla all of an expression is read in the scope of the module that it names. */
static bp_status parse_remopla(reader *r, bpi_prop *prop, bp_context *inner, const char *text)
{
  const uint32_t proc = module_of(r, text);
  if (r->mixed) {
    COMPLAIN(r, BPI_MSG_PROPOSITION, "an expression names variables of one module only");
    return BP_OK;
  }
  if (r->status != BP_OK) return r->status;
  const bp_status status = bpi_expression_parse(&prop->value, inner, r->p, proc, text, "");
  /* What is written counts, not what is left of it: `m.x || !m.x` is true in m only. */
  r->locals = proc;
  return status;
}

static void parse_value(reader *r, bpi_prop *prop, const char *text)
{
  const bool remopla = r->p->language == BP_LANGUAGE_REMOPLA;
  bp_context *inner = NULL;
  bp_status status = bp_context_new(&inner);
  r->locals = BP_NONE;
  r->mixed = r->told = false;
  if (status == BP_OK) status = (remopla ? parse_remopla : parse_boolean)(r, prop, inner, text);
  if (status == BP_E_INPUT && !r->told)
    pass_on(r, inner);
  else if (status != BP_OK && status != BP_E_INPUT)
    r->status = BP_E_NOMEM;
  bp_context_unref(inner);
}

static void read_value(reader *r, bpi_prop *prop, const char *text)
{
  parse_value(r, prop, text);
  prop->kind = r->mixed ? BPI_PROP_NEVER : BPI_PROP_VALUE;
  prop->proc = r->locals;
  for (uint32_t i = 0; i < prop->value.count; i++) {
    const uint32_t op = prop->value.at[i].op;
    if (op != BPI_OP_NONDET && op != BPI_OP_SCHOOSE) continue;
    COMPLAIN(r, BPI_MSG_PROPOSITION, "a proposition has a value: there is no choice in it");
    return;
  }
}

/* ---- all of them --------------------------------------------------------- */

static void read_place(reader *r, bpi_prop *prop, bpi_prop_kind kind, const char *name)
{
  prop->kind = kind;
  prop->proc = find_proc(r, name);
  if (prop->proc == BP_NONE) return;
  if (kind == BPI_PROP_ENTER) add_first(r, prop);
  if (kind == BPI_PROP_EXIT) add_last(r, prop);
}

static void read_prop(reader *r, bpi_prop *prop, const bp_automaton *a, uint32_t ap)
{
  const char *proc = bp_automaton_ap_proc(a, ap), *text = bp_automaton_ap_text(a, ap);
  bp_automaton_ap_range(a, ap, &r->range);
  prop->proc = BP_NONE;
  switch (bp_automaton_ap_kind(a, ap)) {
  case BP_ATOM_NAME: read_name(r, prop, proc, text); break;
  case BP_ATOM_IN: read_place(r, prop, BPI_PROP_IN, proc); break;
  case BP_ATOM_ENTER: read_place(r, prop, BPI_PROP_ENTER, proc); break;
  case BP_ATOM_EXIT: read_place(r, prop, BPI_PROP_EXIT, proc); break;
  case BP_ATOM_TERMINATED: prop->kind = BPI_PROP_TERMINATED; break;
  case BP_ATOM_FAILED: prop->kind = BPI_PROP_FAILED; break;
  case BP_ATOM_QUOTED: read_value(r, prop, text); break;
  }
}

bp_status bpi_props_make(bpi_props *props, bp_context *ctx, const bp_cfg *cfg,
                         const bp_automaton *automaton, const char *file, const char *text,
                         size_t len)
{
  reader r = {.ctx = ctx,
              .cfg = cfg,
              .p = cfg->program,
              .file = file,
              .text = text,
              .len = len,
              .status = BP_OK};
  const uint32_t count = bp_automaton_ap_count(automaton);
  *props = (bpi_props){bpi_zalloc(count, sizeof *props->at), count};
  if (!props->at) return bpi_no_memory(ctx);
  for (uint32_t i = 0; i < count && r.status == BP_OK; i++)
    read_prop(&r, &props->at[i], automaton, i);
  if (r.status == BP_OK && !ctx->errors) return BP_OK;
  bpi_props_clear(props);
  return r.status == BP_OK ? BP_E_INPUT : bpi_no_memory(ctx);
}

void bpi_props_clear(bpi_props *props)
{
  for (uint32_t i = 0; props->at && i < props->count; i++) {
    bpi_release(props->at[i].set);
    bpi_vec_free(&props->at[i].value);
  }
  bpi_release(props->at);
  *props = (bpi_props){0};
}

int bpi_prop_at(const bpi_prop *prop, const bp_cfg *cfg, uint32_t vertex, bool failed)
{
  const uint32_t proc = vertex == BP_NONE ? BP_NONE : cfg->vertices.at[vertex].proc;
  switch (prop->kind) {
  case BPI_PROP_LABEL:
  case BPI_PROP_ENTER:
  case BPI_PROP_EXIT: return vertex != BP_NONE && bpi_bit(prop->set, vertex);
  case BPI_PROP_IN: return proc != BP_NONE && proc == prop->proc;
  case BPI_PROP_VALUE: return prop->proc == BP_NONE || prop->proc == proc ? -1 : 0;
  case BPI_PROP_TERMINATED: return vertex == BP_NONE && !failed;
  case BPI_PROP_FAILED: return vertex == BP_NONE && failed;
  default: return 0;
  }
}
