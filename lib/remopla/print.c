/* SPDX-License-Identifier: MIT */
#include "remopla/tree.h"

enum { MAX_INDENT = 40, PRIMARY = 11 };

/* What is still to be written: a text, or an expression by where its code ends. */
typedef struct task {
  const char *text;
  uint32_t last;
} task;

typedef struct printer {
  bpi_draft *d;
  bpi_rtree *t;
  bp_program *p;
  bool memory;
  BPI_VEC(task) tasks;
  BPI_VEC(uint32_t) begins; /* by instruction of the expression: where it begins */
  BPI_VEC(uint32_t) stack;
  uint32_t first; /* of the expression */
} printer;

/* ---- pieces -------------------------------------------------------------- */

static void put_bytes(printer *w, const char *text, size_t len)
{
  if (!w->memory || !bpi_vec_reserve(&w->p->source, len)) {
    w->memory = false;
    return;
  }
  memcpy(w->p->source.at + w->p->source.count, text, len);
  w->p->source.count += (uint32_t)len;
}

static void put(printer *w, const char *text)
{
  put_bytes(w, text, strlen(text));
}

static void put_symbol(printer *w, uint32_t symbol)
{
  put_bytes(w, bpi_draft_text(w->d, symbol), w->d->symbols.at[symbol].len);
}

static void indent(printer *w, uint32_t depth)
{
  for (uint32_t i = 0; i < depth && i < MAX_INDENT; i++)
    put(w, "  ");
}

/* ---- expressions --------------------------------------------------------- */

static const char *const spellings[] = {
    [BPI_ROP_IFF] = " <=> ", [BPI_ROP_IMPLIES] = " -> ", [BPI_ROP_OR] = " || ",
    [BPI_ROP_XOR] = " ^^ ",  [BPI_ROP_AND] = " && ",     [BPI_ROP_EQ] = " == ",
    [BPI_ROP_NE] = " != ",   [BPI_ROP_LT] = " < ",       [BPI_ROP_LE] = " <= ",
    [BPI_ROP_GT] = " > ",    [BPI_ROP_GE] = " >= ",      [BPI_ROP_ADD] = " + ",
    [BPI_ROP_SUB] = " - ",   [BPI_ROP_MUL] = " * ",      [BPI_ROP_DIV] = " / ",
    [BPI_ROP_EACH] = ", ",
};

/* How tight each operator binds; quantifiers reach to the right as far as they can. */
static const uint8_t levels[] = {
    [BPI_ROP_NUMBER] = PRIMARY, [BPI_ROP_TRUE] = PRIMARY, [BPI_ROP_FALSE] = PRIMARY,
    [BPI_ROP_UNDEF] = PRIMARY,  [BPI_ROP_NAME] = PRIMARY, [BPI_ROP_ELEMENT] = PRIMARY,
    [BPI_ROP_NOT] = 10,         [BPI_ROP_IFF] = 1,        [BPI_ROP_IMPLIES] = 2,
    [BPI_ROP_OR] = 3,           [BPI_ROP_XOR] = 4,        [BPI_ROP_AND] = 5,
    [BPI_ROP_EQ] = 6,           [BPI_ROP_NE] = 6,         [BPI_ROP_LT] = 7,
    [BPI_ROP_LE] = 7,           [BPI_ROP_GT] = 7,         [BPI_ROP_GE] = 7,
    [BPI_ROP_ADD] = 8,          [BPI_ROP_SUB] = 8,        [BPI_ROP_MUL] = 9,
    [BPI_ROP_DIV] = 9,          [BPI_ROP_EACH] = PRIMARY, [BPI_ROP_ALL] = 0,
    [BPI_ROP_ANY] = 0,
};

static void later(printer *w, const char *text, uint32_t last)
{
  if (!bpi_vec_push(&w->tasks, (task){text, last})) w->memory = false;
}

/* An operand, in parentheses if it binds no tighter than `level`. */
static void later_operand(printer *w, uint32_t last, uint32_t level)
{
  const bool open = levels[w->t->code.at[last].op] < level;
  if (open) later(w, ")", 0);
  later(w, NULL, last);
  if (open) later(w, "(", 0);
}

static void write_leaf(printer *w, const bpi_rinstr *in)
{
  char digits[24];
  switch (in->op) {
  case BPI_ROP_NUMBER:
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)w->t->numbers.at[in->arg]);
    put(w, digits);
    return;
  case BPI_ROP_TRUE: put(w, "true"); return;
  case BPI_ROP_FALSE: put(w, "false"); return;
  case BPI_ROP_UNDEF: put(w, "undef"); return;
  default: put_symbol(w, in->arg);
  }
}

static void open_node(printer *w, uint32_t at)
{
  const bpi_rinstr *in = &w->t->code.at[at];
  const uint32_t right = at - 1, level = levels[in->op];
  if (!bpi_rop_arity(in->op)) {
    write_leaf(w, in);
    return;
  }
  if (in->op == BPI_ROP_NOT) {
    put(w, "!");
    later_operand(w, right, level);
    return;
  }
  if (in->op == BPI_ROP_ELEMENT) {
    put_symbol(w, in->arg);
    put(w, "[");
    later(w, "]", 0);
    later(w, NULL, right);
    return;
  }
  const uint32_t left = w->begins.at[right - w->first] - 1;
  if (in->op == BPI_ROP_ALL || in->op == BPI_ROP_ANY) {
    put(w, in->op == BPI_ROP_ALL ? "A " : "E ");
    put_symbol(w, in->arg);
    put(w, " (");
    later_operand(w, right, PRIMARY);
    later(w, ") ", 0);
    later(w, NULL, left);
    return;
  }
  const bool to_right = in->op == BPI_ROP_IMPLIES;
  later_operand(w, right, in->op == BPI_ROP_EACH ? 0 : level + !to_right);
  later(w, spellings[in->op], 0);
  later_operand(w, left, in->op == BPI_ROP_EACH ? 0 : level + to_right);
}

static void write_expr(printer *w, bpi_slice code, uint32_t level)
{
  w->begins.count = w->stack.count = w->tasks.count = 0;
  w->first = code.first;
  for (uint32_t i = code.first; i < code.first + code.count && w->memory; i++) {
    const uint32_t arity = bpi_rop_arity(w->t->code.at[i].op);
    const uint32_t begin = arity ? w->stack.at[w->stack.count - arity] : i;
    w->stack.count -= arity;
    w->memory = bpi_vec_push(&w->stack, begin) && bpi_vec_push(&w->begins, begin);
  }
  later_operand(w, code.first + code.count - 1, level);
  while (w->memory && w->tasks.count) {
    const task t = w->tasks.at[--w->tasks.count];
    if (t.text)
      put(w, t.text);
    else
      open_node(w, t.last);
  }
}

/* ---- declarations -------------------------------------------------------- */

static void write_size(printer *w, const char *open, bpi_slice code, const char *close)
{
  if (!code.count) return;
  put(w, open);
  write_expr(w, code, 0);
  put(w, close);
}

static void write_decl(printer *w, const bpi_rdecl *decl)
{
  put_symbol(w, decl->name);
  write_size(w, "(", decl->bits, ")");
  write_size(w, "[", decl->length, "]");
}

static void write_type(printer *w, bpi_rtyping of)
{
  static const char *const words[] = {[BPI_RTYPE_VOID] = "void",
                                      [BPI_RTYPE_BOOL] = "bool",
                                      [BPI_RTYPE_INT] = "int",
                                      [BPI_RTYPE_ENUM] = "enum "};
  put(w, words[of.type]);
  if (of.type == BPI_RTYPE_ENUM) put_symbol(w, of.name);
}

static void write_enum(printer *w, const bpi_renum *e)
{
  put(w, "enum ");
  put_symbol(w, e->name);
  for (uint32_t i = 0; i < e->values.count; i++) {
    put(w, i ? ", " : " { ");
    put_symbol(w, w->t->defines.at[e->values.first + i].name);
  }
  put(w, " };\n");
}

static void write_line(printer *w, const bpi_rline *line)
{
  write_type(w, line->of);
  for (uint32_t i = 0; i < line->vars.count; i++) {
    put(w, i ? ", " : " ");
    write_decl(w, &w->t->decls.at[line->vars.first + i]);
  }
  put(w, ";\n");
}

/* ---- statements ---------------------------------------------------------- */

static void write_side(printer *w, const bpi_rside *side)
{
  put_symbol(w, side->name);
  write_size(w, "[", side->index, "]");
  put(w, " = ");
  if (side->value.count) write_expr(w, side->value, 0);
}

static void write_call(printer *w, const bpi_rstmt *s)
{
  put_symbol(w, s->name);
  put(w, "(");
  for (uint32_t i = 0; i < s->args.count; i++) {
    if (i) put(w, ", ");
    write_expr(w, w->t->args.at[s->args.first + i], 0);
  }
  put(w, ")");
}

static void write_simple(printer *w, const bpi_rstmt *s)
{
  switch (s->kind) {
  case BPI_RSTMT_SKIP:
    put(w, "skip");
    write_size(w, " (", s->expr, ")");
    break;
  case BPI_RSTMT_RETURN:
    put(w, "return");
    write_size(w, " ", s->expr, "");
    break;
  case BPI_RSTMT_GOTO:
    put(w, "goto ");
    put_symbol(w, s->name);
    break;
  case BPI_RSTMT_BREAK: put(w, "break"); break;
  default:
    for (uint32_t i = 0; i < s->sides.count; i++) {
      if (i) put(w, ", ");
      write_side(w, &w->t->sides.at[s->sides.first + i]);
    }
    if (s->kind == BPI_RSTMT_CALL) write_call(w, s);
  }
}

/* A guard with what stands on its line behind it. */
static void write_clause(printer *w, bpi_rstmt *s, uint32_t depth)
{
  indent(w, depth);
  put(w, ":: ");
  s->text.first = w->p->source.count;
  if (s->expr.count)
    write_expr(w, s->expr, levels[BPI_ROP_IMPLIES] + 1);
  else
    put(w, "else");
  s->text.count = w->p->source.count - s->text.first;
  put(w, " ->");
}

static void write_block_word(printer *w, bpi_rstmt *s)
{
  static const char *const words[] = {
      [BPI_RSTMT_IF] = "if", [BPI_RSTMT_DO] = "do", [BPI_RSTMT_FI] = "fi", [BPI_RSTMT_OD] = "od"};
  s->text = (bpi_slice){w->p->source.count, 2};
  put(w, words[s->kind]);
}

static void write_labels(printer *w, bpi_slice labels)
{
  for (uint32_t i = 0; i < labels.count; i++) {
    put_symbol(w, w->t->labels.at[labels.first + i].name);
    put(w, ": ");
  }
}

static bool closes(const bpi_rstmt *s)
{
  return s->kind == BPI_RSTMT_FI || s->kind == BPI_RSTMT_OD;
}

/* Behind a guard its first step, if that belongs to it, on the same line. */
static void write_first(printer *w, bpi_rstmt *clause, bpi_rstmt *s)
{
  put(w, " ");
  s->text.first = w->p->source.count;
  write_simple(w, s);
  s->text.count = w->p->source.count - s->text.first;
  clause->text.count = w->p->source.count - clause->text.first;
  put(w, ";\n");
}

static void write_stmt(printer *w, bpi_rstmt *s, uint32_t depth)
{
  indent(w, depth);
  write_labels(w, s->labels);
  if (s->kind < BPI_RSTMT_IF) {
    s->text.first = w->p->source.count;
    write_simple(w, s);
    s->text.count = w->p->source.count - s->text.first;
  } else {
    write_block_word(w, s);
  }
  put(w, s->kind == BPI_RSTMT_IF || s->kind == BPI_RSTMT_DO ? "\n" : ";\n");
}

static void write_stmts(printer *w, bpi_slice stmts)
{
  uint32_t depth = 1; /* of statements; a clause stands one less */
  for (uint32_t i = stmts.first; i < stmts.first + stmts.count && w->memory; i++) {
    bpi_rstmt *s = &w->t->stmts.at[i], *next = s + 1;
    if (s->kind == BPI_RSTMT_CLAUSE) {
      write_clause(w, s, depth - 1);
      if (next->kind < BPI_RSTMT_IF && !next->labels.count) {
        write_first(w, s, next);
        i++;
      } else {
        put(w, "\n");
      }
      continue;
    }
    if (closes(s)) depth -= 2;
    write_stmt(w, s, depth);
    if (s->kind == BPI_RSTMT_IF || s->kind == BPI_RSTMT_DO) depth += 2;
  }
}

static void write_module(printer *w, const bpi_rmodule *m)
{
  put(w, "module ");
  write_type(w, m->of);
  write_size(w, "(", m->bits, ")");
  put(w, " ");
  put_symbol(w, m->name);
  put(w, "(");
  for (uint32_t i = 0; i < m->formals.count; i++) {
    const bpi_rdecl *decl = &w->t->decls.at[m->formals.first + i];
    if (i) put(w, ", ");
    write_type(w, decl->of);
    put(w, " ");
    write_decl(w, decl);
  }
  if (m->proc == BP_NONE) {
    put(w, ");\n");
    return;
  }
  put(w, ")\n{\n");
  for (uint32_t i = 0; i < m->lines.count; i++) {
    indent(w, 1);
    write_line(w, &w->t->lines.at[m->lines.first + i]);
  }
  write_stmts(w, m->stmts);
  put(w, "}\n");
}

static void write_item(printer *w, const bpi_ritem *item)
{
  switch (item->kind) {
  case BPI_RITEM_DEFINE:
    put(w, "define ");
    put_symbol(w, w->t->defines.at[item->index].name);
    put(w, " ");
    write_expr(w, w->t->defines.at[item->index].value, 0);
    put(w, "\n");
    break;
  case BPI_RITEM_ENUM: write_enum(w, &w->t->enums.at[item->index]); break;
  case BPI_RITEM_LINE: write_line(w, &w->t->lines.at[item->index]); break;
  case BPI_RITEM_INIT:
    put(w, "init ");
    put_symbol(w, item->index);
    put(w, ";\n");
    break;
  default: write_module(w, &w->t->modules.at[item->index]);
  }
}

/* A module with a body stands between empty lines. */
static bool has_body(const printer *w, uint32_t item)
{
  const bpi_ritem *i = &w->t->items.at[item];
  return i->kind == BPI_RITEM_MODULE && w->t->modules.at[i->index].proc != BP_NONE;
}

bool bpi_rtree_print(bpi_rtree *t, bpi_draft *d)
{
  printer w = {.d = d, .t = t, .p = d->program, .memory = true};
  for (uint32_t i = 0; i < t->items.count && w.memory && bpi_draft_going(d); i++) {
    if (i && (has_body(&w, i) || has_body(&w, i - 1))) put(&w, "\n");
    write_item(&w, &t->items.at[i]);
  }
  bpi_vec_free(&w.tasks);
  bpi_vec_free(&w.begins);
  bpi_vec_free(&w.stack);
  return (w.memory || bpi_draft_stop(d, BP_E_NOMEM)) && d->status == BP_OK;
}
