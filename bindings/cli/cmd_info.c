/* SPDX-License-Identifier: MIT
 * bp info: what a program consists of. Concurrent programs are welcome too. */
#include "cmd.h"
#include "callgraph.h"
#include "json_text.h"
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct facts {
  const bp_program *program;
  cli_callgraph calls;
  uint32_t formals, locals, statements, scope, depth;
  bool recursion;
} facts;

/* Statements as executions count them: no declarations, no enforce, no marks. */
static uint32_t count_statements(const bp_program *p, uint32_t proc)
{
  const uint32_t first = bp_proc_stmt_first(p, proc), end = first + bp_proc_stmt_count(p, proc);
  uint32_t count = 0;
  for (uint32_t s = first; s < end; s++)
    switch (bp_stmt_kind_of(p, s)) {
    case BP_STMT_ELSE:
    case BP_STMT_FI:
    case BP_STMT_OD:
    case BP_STMT_ENFORCE:
    case BP_STMT_DECL: break;
    default: count++;
    }
  return count;
}

static uint32_t count_locals(const bp_program *p, uint32_t proc)
{
  return bp_proc_var_count(p, proc) - bp_proc_formal_count(p, proc);
}

static bool gather(facts *f, const bp_program *p)
{
  *f = (facts){.program = p};
  if (!cli_callgraph_make(&f->calls, p)) return false;
  f->depth = cli_callgraph_depth(&f->calls, p);
  for (uint32_t proc = 0; proc < bp_program_proc_count(p); proc++) {
    const uint32_t own = bp_proc_var_count(p, proc);
    f->formals += bp_proc_formal_count(p, proc);
    f->locals += count_locals(p, proc);
    f->statements += count_statements(p, proc);
    if (own > f->scope) f->scope = own;
    if (f->calls.recursive[proc]) f->recursion = true;
  }
  f->scope += bp_program_global_count(p);
  return true;
}

/* ---- text -------------------------------------------------------------- */

static void print_recursion(const facts *f)
{
  if (!f->recursion) {
    fputs("no", stdout);
    return;
  }
  const char *before = "yes (";
  for (uint32_t proc = 0; proc < bp_program_proc_count(f->program); proc++) {
    if (!f->calls.recursive[proc]) continue;
    printf("%s%s", before, bp_proc_name(f->program, proc));
    before = ", ";
  }
  putchar(')');
}

static void print_procedure(const facts *f, uint32_t proc)
{
  const bp_program *p = f->program;
  printf("procedure %s: formals %" PRIu32 ", locals %" PRIu32 ", results %" PRIu32
         ", statements %" PRIu32 "%s\n",
         bp_proc_name(p, proc), bp_proc_formal_count(p, proc), count_locals(p, proc),
         bp_proc_result_count(p, proc), count_statements(p, proc),
         f->calls.recursive[proc] ? ", recursive" : "");
}

static const char *entry_name(const bp_program *p)
{
  const uint32_t entry = bp_program_entry(p);
  return entry == BP_NONE ? NULL : bp_proc_name(p, entry);
}

static void print_text(const facts *f)
{
  const bp_program *p = f->program;
  const char *entry = entry_name(p);
  printf("entry: %s\n", entry ? entry : "none");
  printf("procedures: %" PRIu32 "\n", bp_program_proc_count(p));
  printf("variables: %" PRIu32 " (globals %" PRIu32 ", formals %" PRIu32 ", locals %" PRIu32 ")\n",
         bp_program_var_count(p), bp_program_global_count(p), f->formals, f->locals);
  printf("statements: %" PRIu32 "\n", f->statements);
  printf("largest scope: %" PRIu32 "\n", f->scope);
  if (f->depth == BP_NONE)
    puts("call depth: unbounded");
  else
    printf("call depth: %" PRIu32 "\n", f->depth);
  fputs("recursion: ", stdout);
  print_recursion(f);
  printf("\nconcurrent constructs: %" PRIu32 "\n", bp_program_concurrent_count(p));
  for (uint32_t proc = 0; proc < bp_program_proc_count(p); proc++)
    print_procedure(f, proc);
}

/* ---- JSON -------------------------------------------------------------- */

static void add_number(cli_text *out, const char *key, uint64_t number)
{
  cli_text_puts(out, ",");
  cli_json_string(out, key);
  cli_text_puts(out, ":");
  cli_text_number(out, number);
}

static void add_flag(cli_text *out, const char *key, bool flag)
{
  cli_text_puts(out, ",");
  cli_json_string(out, key);
  cli_text_puts(out, flag ? ":true" : ":false");
}

/* The names of the variables that belong to `proc` and are of one kind. */
static void add_names(cli_text *out, const bp_program *p, const char *key, uint32_t proc,
                      bp_var_kind kind)
{
  const bool global = proc == BP_NONE;
  const uint32_t first = global ? 0 : bp_proc_var_first(p, proc);
  const uint32_t count = global ? bp_program_var_count(p) : bp_proc_var_count(p, proc);
  const char *before = "";
  cli_text_puts(out, ",");
  cli_json_string(out, key);
  cli_text_puts(out, ":[");
  for (uint32_t v = first; v < first + count; v++) {
    if (bp_var_kind_of(p, v) != kind) continue;
    cli_text_puts(out, before);
    cli_json_string(out, bp_var_name(p, v));
    before = ",";
  }
  cli_text_puts(out, "]");
}

static void add_procedure(cli_text *out, const facts *f, uint32_t proc)
{
  bp_range place;
  bp_proc_range(f->program, proc, &place);
  cli_text_puts(out, proc ? ",{\"name\":" : "{\"name\":");
  cli_json_string(out, bp_proc_name(f->program, proc));
  add_number(out, "line", place.line);
  add_names(out, f->program, "formals", proc, BP_VAR_FORMAL);
  add_names(out, f->program, "locals", proc, BP_VAR_LOCAL);
  add_number(out, "results", bp_proc_result_count(f->program, proc));
  add_number(out, "statements", count_statements(f->program, proc));
  add_flag(out, "recursive", f->calls.recursive[proc]);
  cli_text_puts(out, "}");
}

static void add_document(cli_text *out, const facts *f, const char *file)
{
  const bp_program *p = f->program;
  cli_json_begin(out, "info", file);
  cli_text_puts(out, ",\"entry\":");
  if (entry_name(p))
    cli_json_string(out, entry_name(p));
  else
    cli_text_puts(out, "null");
  add_names(out, p, "globals", BP_NONE, BP_VAR_GLOBAL);
  add_number(out, "variables", bp_program_var_count(p));
  add_number(out, "statements", f->statements);
  add_number(out, "largest_scope", f->scope);
  if (f->depth == BP_NONE)
    cli_text_puts(out, ",\"call_depth\":null");
  else
    add_number(out, "call_depth", f->depth);
  add_flag(out, "recursion", f->recursion);
  add_number(out, "concurrent_constructs", bp_program_concurrent_count(p));
  cli_text_puts(out, ",\"procedures\":[");
  for (uint32_t proc = 0; proc < bp_program_proc_count(p); proc++)
    add_procedure(out, f, proc);
  cli_text_puts(out, "]}\n");
}

/* ---- the command ------------------------------------------------------- */

static void print_facts(cli_run *run)
{
  facts f;
  cli_text out = {0};
  if (!gather(&f, run->program)) {
    cli_run_fail(run, BP_E_NOMEM);
    return;
  }
  if (run->args->json)
    add_document(&out, &f, run->file);
  else
    print_text(&f);
  if (out.failed)
    cli_run_fail(run, BP_E_NOMEM);
  else if (out.len)
    fwrite(out.at, 1, out.len, stdout);
  cli_text_free(&out);
  cli_callgraph_free(&f.calls);
}

cli_exit cmd_info(const cli_args *args)
{
  cli_run run;
  if (cli_run_read(&run, args, args->operands[0]))
    print_facts(&run);
  else
    cli_run_say_undecided(&run);
  return cli_run_end(&run);
}
