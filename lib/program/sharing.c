/* SPDX-License-Identifier: MIT */
#include "program/sharing.h"

typedef struct unsharing {
  bpi_code *out;
  BPI_VEC(uint32_t) begins; /* by operand on the stack: where its code begins in `out` */
  BPI_VEC(bpi_slice) kept;  /* by register, in `out` */
} unsharing;

static bool keep(unsharing *u, uint32_t number)
{
  while (u->kept.count <= number)
    if (!bpi_vec_push(&u->kept, (bpi_slice){0, 0})) return false;
  const uint32_t begin = u->begins.at[u->begins.count - 1];
  u->kept.at[number] = (bpi_slice){begin, u->out->count - begin};
  return true;
}

static bp_status add(unsharing *u, bpi_instr in)
{
  const uint32_t arity = bpi_op_arity(in.op);
  const bpi_slice part = in.op == BPI_OP_KEPT ? u->kept.at[in.arg] : (bpi_slice){0, 1};
  const uint32_t begin = arity ? u->begins.at[u->begins.count - arity] : u->out->count;
  u->begins.count -= arity;
  if ((uint64_t)u->out->count + part.count > BPI_MOST_WRITTEN) return BP_E_UNSUPPORTED;
  if (!bpi_vec_reserve(u->out, part.count) || !bpi_vec_push(&u->begins, begin)) return BP_E_NOMEM;
  if (in.op == BPI_OP_KEPT)
    memcpy(u->out->at + u->out->count, u->out->at + part.first, part.count * sizeof in);
  else
    u->out->at[u->out->count] = in;
  u->out->count += part.count;
  return BP_OK;
}

bp_status bpi_unshare(bpi_code *out, const bpi_instr **code, uint32_t *count)
{
  unsharing u = {.out = out};
  bp_status status = BP_OK;
  bool shares = false;
  for (uint32_t i = 0; i < *count && !shares; i++)
    shares = (*code)[i].op == BPI_OP_KEEP;
  if (!shares) return BP_OK;
  out->count = 0;
  for (uint32_t i = 0; i < *count && status == BP_OK; i++) {
    if ((*code)[i].op != BPI_OP_KEEP)
      status = add(&u, (*code)[i]);
    else if (!keep(&u, (*code)[i].arg))
      status = BP_E_NOMEM;
  }
  bpi_vec_free(&u.begins);
  bpi_vec_free(&u.kept);
  if (status != BP_OK) return status;
  *code = out->at;
  *count = out->count;
  return BP_OK;
}
