/* SPDX-License-Identifier: MIT */
#include "systems.h"

static int swallow(void *user, const char *bytes, size_t len)
{
  page *p = user;
  if (p->used + len >= sizeof p->text) return 1;
  memcpy(p->text + p->used, bytes, len);
  p->used += len;
  p->text[p->used] = '\0';
  return 0;
}

void page_begin(page *p)
{
  *p = (page){.sink = {.size = sizeof p->sink, .write = swallow, .user = p}};
}

static bp_status fill(bp_pushdown_builder *b)
{
  const uint32_t p = bp_pushdown_builder_control(b, "p");
  const uint32_t m = bp_pushdown_builder_symbol(b, "m"), f = bp_pushdown_builder_symbol(b, "f"),
                 r = bp_pushdown_builder_symbol(b, "r");
  const uint32_t g = bp_pushdown_builder_global(b, "g"), x = bp_pushdown_builder_local(b, m, "x"),
                 y = bp_pushdown_builder_local(b, f, "y");
  if (p == BP_NONE || r == BP_NONE || g == BP_NONE || x == BP_NONE || y == BP_NONE)
    return BP_E_NOMEM;
  bp_status status = bp_pushdown_builder_rule(b, p, m, p, f, r, "('y = x)");
  if (status == BP_OK) status = bp_pushdown_builder_rule(b, p, f, p, f, f, "('y = y) & ('y$ = y)");
  if (status == BP_OK)
    status = bp_pushdown_builder_rule(b, p, f, p, BP_NONE, BP_NONE, "y & ('g = !g)");
  return status == BP_OK ? bp_pushdown_builder_rule(b, p, r, p, r, BP_NONE, NULL) : status;
}

bp_status make_system(bp_pushdown **out, bp_context *ctx)
{
  bp_pushdown_builder *b;
  bp_status status = bp_pushdown_builder_new(&b, ctx);
  if (status != BP_OK) return status;
  status = fill(b);
  if (status == BP_OK) status = bp_pushdown_builder_finish(b, out);
  bp_pushdown_builder_free(b);
  return status;
}
