/* SPDX-License-Identifier: MIT
 * Control-flow graphs as Graphviz. Everything that can run into a limit is done before the first
 * byte. */
#include "base/json.h"
#include "engine/query.h"

#include <string.h>

typedef struct drawing {
  const bp_cfg *cfg;
  const bp_program *p;
  bpi_out out;
  uint8_t *reached; /* by vertex; NULL: nothing is coloured */
  BPI_VEC(char) text;
} drawing;

/* ---- labels ------------------------------------------------------------ */

static int append(void *user, const char *bytes, size_t len)
{
  drawing *d = user;
  if (!bpi_vec_reserve(&d->text, len)) return 1;
  memcpy(d->text.at + d->text.count, bytes, len);
  d->text.count += (uint32_t)len;
  return 0;
}

/* Text inside a quoted string of Graphviz, which wants UTF-8. */
static void write_escaped(bpi_out *out, const char *text, size_t len)
{
  while (len) {
    const size_t n = bpi_utf8_length(text, len);
    if (!n || (unsigned char)*text < ' ')
      bpi_out_char(out, '?');
    else {
      if (*text == '"' || *text == '\\') bpi_out_char(out, '\\');
      bpi_out_bytes(out, text, n);
    }
    text += n ? n : 1;
    len -= n ? n : 1;
  }
}

static void write_name(bpi_out *out, const char *name)
{
  write_escaped(out, name, strlen(name));
}

static bp_status write_stmt(drawing *d, uint32_t stmt)
{
  const bp_sink sink = {.size = sizeof sink, .write = append, .user = d};
  d->text.count = 0;
  const bp_status status = bp_stmt_write(d->p, stmt, &sink);
  if (status != BP_OK) return status == BP_E_IO ? BP_E_NOMEM : status;
  for (uint32_t i = 0; i < bp_stmt_label_count(d->p, stmt); i++) {
    write_name(&d->out, bp_stmt_label(d->p, stmt, i));
    bpi_out_text(&d->out, ": ");
  }
  write_escaped(&d->out, d->text.at, d->text.count);
  return BP_OK;
}

/* ---- vertices and edges ------------------------------------------------- */

static void write_id(bpi_out *out, uint32_t vertex)
{
  bpi_out_char(out, 'v');
  bpi_out_u64(out, vertex);
}

static bp_status write_vertex(drawing *d, uint32_t vertex)
{
  bpi_out *out = &d->out;
  const bpi_vertex *v = &d->cfg->vertices.at[vertex];
  bp_status status = BP_OK;
  bpi_out_text(out, "    ");
  write_id(out, vertex);
  bpi_out_text(out, " [label=\"");
  if (v->stmt != BP_NONE) {
    bp_range place;
    bp_stmt_range(d->p, v->stmt, &place);
    bpi_out_u64(out, place.line);
    bpi_out_text(out, ": ");
    status = write_stmt(d, v->stmt);
  } else {
    bpi_out_text(out, v->kind == BPI_VERTEX_EXIT ? "exit" : "end");
  }
  bpi_out_char(out, '"');
  if (v->kind == BPI_VERTEX_EXIT) bpi_out_text(out, ", shape=ellipse");
  if (d->reached && d->reached[vertex]) bpi_out_text(out, ", style=filled, fillcolor=\"#b6e3b6\"");
  bpi_out_text(out, "];\n");
  return status;
}

static void write_edges(drawing *d, uint32_t vertex)
{
  bpi_out *out = &d->out;
  const bpi_vertex *v = &d->cfg->vertices.at[vertex];
  for (uint32_t i = 0; i < bpi_succs(v).count; i++) {
    bpi_out_text(out, "    ");
    write_id(out, vertex);
    bpi_out_text(out, " -> ");
    write_id(out, d->cfg->succs.at[bpi_succs(v).first + i]);
    if (v->kind == BPI_VERTEX_BRANCH) bpi_out_text(out, i ? " [label=F]" : " [label=T]");
    bpi_out_text(out, ";\n");
  }
}

/* Calls cross the borders of clusters, so they stand outside. */
static void write_call(drawing *d, uint32_t vertex)
{
  const bpi_vertex *v = &d->cfg->vertices.at[vertex];
  if (v->kind != BPI_VERTEX_CALL) return;
  const uint32_t callee = bpi_stmt_callee(d->p, v->stmt);
  const uint32_t entry = bp_cfg_proc_entry(d->cfg, callee);
  if (entry == BP_NONE) return;
  bpi_out_text(&d->out, "  ");
  write_id(&d->out, vertex);
  bpi_out_text(&d->out, " -> ");
  write_id(&d->out, entry);
  bpi_out_text(&d->out, " [style=dashed, constraint=false];\n");
}

/* ---- the whole ---------------------------------------------------------- */

static void write_heading(drawing *d, uint32_t proc)
{
  const bpi_proc *p = &d->p->procs.at[proc];
  bpi_out_text(&d->out, "  subgraph cluster_");
  bpi_out_u64(&d->out, proc);
  bpi_out_text(&d->out, " {\n    label=\"");
  write_name(&d->out, bp_proc_name(d->p, proc));
  bpi_out_char(&d->out, '(');
  for (uint32_t i = 0; i < p->formals; i++) {
    if (i) bpi_out_text(&d->out, ", ");
    write_name(&d->out, bp_var_name(d->p, p->vars.first + i));
  }
  bpi_out_text(&d->out, ")\";\n");
}

static bp_status write_cluster(drawing *d, uint32_t proc)
{
  const bpi_slice own = d->cfg->procs.at[proc].vertices;
  if (!own.count) return BP_OK;
  bp_status status = BP_OK;
  write_heading(d, proc);
  for (uint32_t i = 0; i < own.count && status == BP_OK; i++)
    status = write_vertex(d, own.first + i);
  for (uint32_t i = 0; i < own.count; i++)
    write_edges(d, own.first + i);
  bpi_out_text(&d->out, "  }\n");
  return status;
}

static bp_status write_graph(drawing *d)
{
  bp_status status = BP_OK;
  bpi_out_text(&d->out, "digraph \"");
  write_name(&d->out, bp_program_name(d->p));
  bpi_out_text(&d->out, "\" {\n  node [shape=box, fontname=monospace];\n");
  for (uint32_t proc = 0; proc < d->cfg->procs.count && status == BP_OK; proc++)
    status = write_cluster(d, proc);
  for (uint32_t v = 0; v < d->cfg->vertices.count; v++)
    write_call(d, v);
  bpi_out_text(&d->out, "}\n");
  const bp_status written = bpi_out_flush(&d->out);
  return status != BP_OK ? status : written;
}

static bp_status find_reached(drawing *d, bp_query *q)
{
  d->reached = bpi_zalloc((size_t)d->cfg->vertices.count + 1, 1);
  if (!d->reached) return BP_E_NOMEM;
  for (uint32_t v = 0; v < d->cfg->vertices.count; v++) {
    int reached = 0;
    const bp_status status = bp_query_reached(q, v, &reached);
    if (status != BP_OK) return status;
    d->reached[v] = reached != 0;
  }
  return BP_OK;
}

bp_status bp_cfg_write_dot(const bp_cfg *cfg, bp_context *ctx, const bp_sink *sink,
                           bp_query *reached)
{
  if (!ctx) return BP_E_INVALID;
  if (!cfg) return bpi_invalid(ctx, "cfg is NULL");
  if (bpi_sink_check(sink) != BP_OK) return bpi_invalid(ctx, BPI_BAD_SINK);
  if (reached && reached->cfg != cfg) return bpi_invalid(ctx, "the query is about another graph");
  bpi_context_begin(ctx);
  drawing d = {.cfg = cfg, .p = cfg->program};
  bpi_out_init(&d.out, sink);
  bp_status status = reached ? find_reached(&d, reached) : BP_OK;
  if (status == BP_OK) status = write_graph(&d);
  if (status == BP_E_NOMEM && !bp_context_error_count(ctx)) bpi_no_memory(ctx);
  if (status == BP_E_IO) bpi_sink_refused(ctx);
  bpi_release(d.reached);
  bpi_vec_free(&d.text);
  return status;
}
