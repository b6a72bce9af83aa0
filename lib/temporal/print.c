/* SPDX-License-Identifier: MIT */
#include "temporal/print.h"
#include "temporal/lexer.h"

/* ---- atoms ------------------------------------------------------------- */

static const char *const words[] = {[BP_ATOM_IN] = "in(",
                                    [BP_ATOM_ENTER] = "enter(",
                                    [BP_ATOM_EXIT] = "exit(",
                                    [BP_ATOM_TERMINATED] = "terminated",
                                    [BP_ATOM_FAILED] = "failed"};

static void print_word(bpi_out *out, uint8_t kind, const char *proc)
{
  bpi_out_text(out, words[kind]);
  if (kind == BP_ATOM_TERMINATED || kind == BP_ATOM_FAILED) return;
  bpi_out_text(out, proc);
  bpi_out_char(out, ')');
}

void bpi_ltl_print_atom(bpi_out *out, const bpi_ltl *l, uint32_t atom)
{
  const bpi_atom *a = &l->atoms.at[atom];
  const char *proc = l->chars.at + a->proc, *text = l->chars.at + a->text;
  if (a->kind == BP_ATOM_QUOTED || (a->kind == BP_ATOM_NAME && !a->proc)) {
    if (a->kind == BP_ATOM_NAME && bpi_ltl_is_plain(text, strlen(text)))
      bpi_out_text(out, text);
    else
      bpi_out_quoted(out, text);
  } else if (a->kind == BP_ATOM_NAME) {
    bpi_out_text(out, proc);
    bpi_out_char(out, '.');
    bpi_out_text(out, text);
  } else {
    print_word(out, a->kind, proc);
  }
}

/* Whether a text alone is read as something other than this name or expression. */
static bool is_ambiguous(const char *text, uint8_t kind)
{
  bpi_ltl_lexer lexer;
  bpi_ltl_lexer_init(&lexer, text, strlen(text));
  const bpi_ltl_token token = bpi_ltl_lexer_next(&lexer);
  return token.kind == BPI_L_ATOM && token.atom != (bp_atom_kind)kind && *lexer.cursor == '\0';
}

void bpi_ltl_print_proposition(bpi_out *out, const bpi_ltl *l, uint32_t atom)
{
  const bpi_atom *a = &l->atoms.at[atom];
  const char *text = l->chars.at + a->text;
  if (a->kind != BP_ATOM_QUOTED && (a->kind != BP_ATOM_NAME || a->proc)) {
    bpi_out_char(out, '"');
    bpi_ltl_print_atom(out, l, atom);
    bpi_out_char(out, '"');
  } else if (text[0] == '"' || is_ambiguous(text, a->kind)) {
    bpi_out_text(out, "\"\\\"");
    for (; *text; text++) {
      if (*text == '"' || *text == '\\') bpi_out_text(out, "\\\\\\");
      bpi_out_char(out, *text);
    }
    bpi_out_text(out, "\\\"\"");
  } else {
    bpi_out_quoted(out, text);
  }
}

/* ---- formulas ---------------------------------------------------------- */

enum { TIGHTEST = 7 };

static const struct shape {
  const char *text;
  uint8_t level;       /* how tight it binds, as parse.c has it */
  uint8_t left, right; /* how tight its operands must bind to go without parentheses */
} shapes[] = {
    [BP_FORMULA_FALSE] = {"false", TIGHTEST, 0, 0},
    [BP_FORMULA_TRUE] = {"true", TIGHTEST, 0, 0},
    [BP_FORMULA_ATOM] = {"", TIGHTEST, 0, 0},
    [BP_FORMULA_NOT] = {"!", 6, 0, 6},
    [BP_FORMULA_NEXT] = {"X ", 6, 0, 6},
    [BP_FORMULA_EVENTUALLY] = {"F ", 6, 0, 6},
    [BP_FORMULA_ALWAYS] = {"G ", 6, 0, 6},
    [BP_FORMULA_UNTIL] = {" U ", 5, 6, 5},
    [BP_FORMULA_RELEASE] = {" R ", 5, 6, 5},
    [BP_FORMULA_WEAK_UNTIL] = {" W ", 5, 6, 5},
    [BP_FORMULA_STRONG_RELEASE] = {" M ", 5, 6, 5},
    [BP_FORMULA_AND] = {" && ", 4, 5, 5},
    [BP_FORMULA_OR] = {" || ", 3, 4, 4},
    [BP_FORMULA_IMPLIES] = {" -> ", 2, 3, 2},
    [BP_FORMULA_IFF] = {" <-> ", 1, 1, 2},
};

typedef struct place {
  uint32_t node, next; /* which operand comes next */
  bool parentheses;
} place;

typedef BPI_VEC(place) places;

static bool enter(bpi_out *out, const bpi_ltl *l, places *stack, uint32_t node, uint8_t least)
{
  const place p = {node, 0, shapes[bpi_ltl_op(l, node)].level < least};
  if (p.parentheses) bpi_out_char(out, '(');
  return bpi_vec_push(stack, p);
}

bool bpi_ltl_print(bpi_out *out, const bpi_ltl *l, uint32_t root)
{
  places stack = {0};
  bool enough = enter(out, l, &stack, root, 0);
  while (enough && stack.count && out->status == BP_OK) {
    place *top = &stack.at[stack.count - 1];
    const bp_formula_op op = bpi_ltl_op(l, top->node);
    const struct shape *s = &shapes[op];
    const uint32_t count = op == BP_FORMULA_ATOM ? 0 : bpi_ltl_count(l, top->node);
    if (op == BP_FORMULA_ATOM) bpi_ltl_print_atom(out, l, l->nodes.at[top->node].first);
    if (top->next == count) {
      if (!count) bpi_out_text(out, s->text);
      if (top->parentheses) bpi_out_char(out, ')');
      stack.count--;
      continue;
    }
    if (count == 1 || top->next) bpi_out_text(out, s->text);
    const uint32_t below = bpi_ltl_arg(l, top->node, top->next++);
    enough = enter(out, l, &stack, below, count == 1 || top->next > 1 ? s->right : s->left);
  }
  bpi_vec_free(&stack);
  return enough;
}

bp_status bp_formula_write(const bp_formula *formula, const bp_sink *sink)
{
  if (!formula || bpi_sink_check(sink) != BP_OK) return BP_E_INVALID;
  bpi_out out;
  bpi_out_init(&out, sink);
  if (!bpi_ltl_print(&out, &formula->ltl, formula->root)) return BP_E_NOMEM;
  return bpi_out_flush(&out);
}
