/* SPDX-License-Identifier: MIT
 * Systems in PDAAAL's JSON: docs/pushdown.md. Its rules that push keep the symbol that was on top. What
 * replaces that one as well goes by way of a state of its own. */
#include "base/json.h"
#include "pushdown/pushdown.h"

#include <stdio.h>

typedef struct writer {
  const bp_pushdown *p;
  bpi_out out;
  bpi_json json;
  bool memory;
  bpi_keys between;        /* (control, top) of pushes that take a second step */
  BPI_VEC(uint32_t) first; /* by control: in lefts, BP_NONE: none; then `next` */
  BPI_VEC(uint32_t) next;  /* by number in lefts */
  BPI_VEC(uint32_t) rules; /* scratch: those with one head */
  BPI_VEC(char) name;      /* scratch */
} writer;

/* ---- relations without variables -------------------------------------------------- */

enum { CAN_FAIL = 1, CAN_HOLD = 2 };

static uint8_t outcome(bpi_op op, bool a, bool b, bool c)
{
  const uint8_t both = CAN_FAIL | CAN_HOLD;
  bool holds = false;
  switch (op) {
  case BPI_OP_NOT: holds = !a; break;
  case BPI_OP_AND: holds = a && b; break;
  case BPI_OP_OR: holds = a || b; break;
  case BPI_OP_XOR:
  case BPI_OP_NE: holds = a != b; break;
  case BPI_OP_EQ: holds = a == b; break;
  case BPI_OP_IMPLIES: holds = !a || b; break;
  case BPI_OP_COND: holds = a ? b : c; break;
  case BPI_OP_SCHOOSE: return a ? CAN_HOLD : b ? CAN_FAIL : both;
  default: break;
  }
  return holds ? CAN_HOLD : CAN_FAIL;
}

static uint8_t combine(bpi_op op, const uint8_t *x, uint32_t arity)
{
  uint8_t all = 0;
  for (uint32_t choice = 0; choice < 1u << arity; choice++) {
    bool value[3] = {false}, possible = true;
    for (uint32_t i = 0; i < arity; i++) {
      value[i] = choice >> i & 1;
      possible = possible && (x[i] & (value[i] ? CAN_HOLD : CAN_FAIL));
    }
    if (possible) all |= outcome(op, value[0], value[1], value[2]);
  }
  return all;
}

/* Whether the relation of a rule can hold. */
static bool can_hold(writer *w, const bpi_rule *rule)
{
  const bpi_instr *code = bpi_rule_code(w->p, rule);
  BPI_VEC(uint8_t) stack = {0};
  for (uint32_t i = 0; i < rule->code.count && w->memory; i++) {
    const uint32_t op = code[i].op, arity = bpi_op_arity(op);
    const uint8_t value = arity                 ? combine(op, stack.at + stack.count - arity, arity)
                          : op == BPI_OP_FALSE  ? CAN_FAIL
                          : op == BPI_OP_NONDET ? CAN_FAIL | CAN_HOLD
                                                : CAN_HOLD;
    stack.count -= arity;
    w->memory = bpi_vec_push(&stack, value);
  }
  const bool holds = !rule->code.count || (stack.count && stack.at[0] & CAN_HOLD);
  bpi_vec_free(&stack);
  return holds;
}

/* ---- names -------------------------------------------------------------------------- */

/* The name of the state between the two steps of a push: both names, and strokes until it is new. */
static const char *between_name(writer *w, uint32_t control, uint32_t top)
{
  const char *a = bp_pushdown_control_name(w->p, control), *b = bp_pushdown_symbol_name(w->p, top);
  const size_t size = strlen(a) + strlen(b) + 6;
  w->name.count = 0;
  if (!bpi_vec_reserve(&w->name, size)) {
    w->memory = false;
    return "";
  }
  snprintf(w->name.at, size, "%s + %s", a, b);
  w->name.count = (uint32_t)strlen(w->name.at);
  while (bp_pushdown_find_control(w->p, w->name.at) != BP_NONE && w->memory) {
    w->name.at[w->name.count] = '\'';
    w->name.count++;
    w->memory = bpi_vec_push(&w->name, '\0');
    if (w->memory) w->name.count--;
  }
  return w->name.at;
}

/* ---- rules ---------------------------------------------------------------------------- */

static void write_pair(writer *w, const char *key, const char *value)
{
  bpi_json_key(&w->json, key);
  bpi_json_string(&w->json, value);
}

static void write_rule(writer *w, const bpi_rule *rule)
{
  const bool two_steps = rule->below != BP_NONE && rule->below != rule->symbol;
  const uint32_t label = two_steps ? rule->below : rule->top;
  bpi_json_push(&w->json, '{');
  if (two_steps && bpi_keys_add(&w->between, rule->to, rule->top, 0) == BP_NONE) w->memory = false;
  write_pair(w, "to",
             two_steps ? between_name(w, rule->to, rule->top)
                       : bp_pushdown_control_name(w->p, rule->to));
  if (rule->top == BP_NONE)
    write_pair(w, "pop", "");
  else
    write_pair(w, rule->below == rule->symbol ? "push" : "swap",
               bp_pushdown_symbol_name(w->p, label));
  bpi_json_pop(&w->json, '}');
}

/* The rules with one head, which the table chains from the last to the first. */
static void write_head(writer *w, uint32_t left)
{
  const bpi_key key = w->p->lefts.list.at[left];
  w->rules.count = 0;
  for (uint32_t r = w->p->first_left.at[left]; r != BP_NONE; r = w->p->rules.at[r].next_left)
    if (can_hold(w, &w->p->rules.at[r]) && !bpi_vec_push(&w->rules, r)) w->memory = false;
  if (!w->rules.count || !w->memory) return;
  bpi_json_key(&w->json, bp_pushdown_symbol_name(w->p, key.at[1]));
  if (w->rules.count > 1) bpi_json_push(&w->json, '[');
  for (uint32_t i = w->rules.count; i-- > 0;)
    write_rule(w, &w->p->rules.at[w->rules.at[i]]);
  if (w->rules.count > 1) bpi_json_pop(&w->json, ']');
}

/* The second step of a push: `top` comes on whatever is there now. */
static void write_between(writer *w, bpi_key key)
{
  bpi_json_key(&w->json, between_name(w, key.at[0], key.at[1]));
  bpi_json_push(&w->json, '{');
  bpi_json_key(&w->json, "*");
  bpi_json_push(&w->json, '{');
  write_pair(w, "to", bp_pushdown_control_name(w->p, key.at[0]));
  write_pair(w, "push", bp_pushdown_symbol_name(w->p, key.at[1]));
  bpi_json_pop(&w->json, '}');
  bpi_json_pop(&w->json, '}');
}

/* ---- the whole ---------------------------------------------------------------------------- */

/* The heads of each control location, in order. */
static void group_heads(writer *w)
{
  const bp_pushdown *p = w->p;
  for (uint32_t i = 0; i < p->controls.count && w->memory; i++)
    w->memory = bpi_vec_push(&w->first, BP_NONE);
  for (uint32_t i = 0; i < p->lefts.list.count && w->memory; i++)
    w->memory = bpi_vec_push(&w->next, BP_NONE);
  for (uint32_t i = p->lefts.list.count; i-- > 0 && w->memory;) {
    uint32_t *first = &w->first.at[p->lefts.list.at[i].at[0]];
    w->next.at[i] = *first;
    *first = i;
  }
}

static void write_all(writer *w)
{
  bpi_json_push(&w->json, '{');
  bpi_json_key(&w->json, "pda");
  bpi_json_push(&w->json, '{');
  bpi_json_key(&w->json, "states");
  bpi_json_push(&w->json, '{');
  for (uint32_t i = 0; i < w->p->controls.count && w->memory && w->out.status == BP_OK; i++) {
    bpi_json_key(&w->json, bp_pushdown_control_name(w->p, i));
    bpi_json_push(&w->json, '{');
    for (uint32_t left = w->first.at[i]; left != BP_NONE && w->memory; left = w->next.at[left])
      write_head(w, left);
    bpi_json_pop(&w->json, '}');
  }
  for (uint32_t i = 0; i < w->between.list.count && w->memory; i++)
    write_between(w, w->between.list.at[i]);
  bpi_json_pop(&w->json, '}');
  bpi_json_pop(&w->json, '}');
  bpi_json_pop(&w->json, '}');
  bpi_out_char(&w->out, '\n');
}

static bool has_locals(const bp_pushdown *p)
{
  for (uint32_t i = 0; i < p->scopes.count; i++)
    if (p->scopes.at[i].locals.count) return true;
  return false;
}

bp_status bp_pushdown_write_json(const bp_pushdown *p, bp_context *ctx, const bp_sink *sink)
{
  if (!p || !ctx) return BP_E_INVALID;
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(ctx, BPI_BAD_SINK);
  bpi_context_begin(ctx);
  if (p->globals.count || has_locals(p))
    return bpi_fail(ctx, BP_E_UNSUPPORTED, BPI_MSG_ARGUMENT,
                    "the system has variables, which this format has not");
  if (bp_pushdown_find_symbol(p, "*") != BP_NONE)
    return bpi_fail(ctx, BP_E_UNSUPPORTED, BPI_MSG_ARGUMENT,
                    "a symbol named '*' would mean any symbol in this format");
  writer w = {.p = p, .memory = true};
  bpi_out_init(&w.out, sink);
  bpi_json_init(&w.json, &w.out);
  group_heads(&w);
  if (w.memory) write_all(&w);
  const bp_status status = bpi_out_flush(&w.out);
  bpi_keys_free(&w.between);
  bpi_vec_free(&w.first);
  bpi_vec_free(&w.next);
  bpi_vec_free(&w.rules);
  bpi_vec_free(&w.name);
  if (!w.memory) return bpi_no_memory(ctx);
  return status == BP_OK ? BP_OK : bpi_sink_refused(ctx);
}
