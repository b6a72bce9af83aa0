/* SPDX-License-Identifier: MIT
 * Compares post* of programs with the query engine, for pushdown_programs.py. Each argument is a file with a
 * program. Is every vertex reachable by its head in post* of the start exactly when a query says so, and, for
 * every fifth vertex, does a start belong to pre* of the stacks with it on top? Every other
 * system goes through its text. Prints what differs. */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bp_context *ctx;
static bp_manager *manager;

static void need(bp_status status)
{
  if (status == BP_OK) return;
  fprintf(stderr, "pds_program: %s\n", bp_context_message(ctx));
  exit(2);
}

static char *read_file(const char *name, size_t *len)
{
  FILE *file = fopen(name, "rb");
  char *text = malloc(1 << 20);
  if (!file || !text) exit(2);
  *len = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static bp_configurations *start_of(bp_pushdown *pushdown)
{
  bp_configurations *start;
  need(bp_configurations_new(&start, ctx, manager, pushdown));
  need(bp_configurations_add_start(start));
  return start;
}

/* The system as it comes back from its own text. */
static bp_pushdown *again(bp_pushdown *p)
{
  bp_pushdown *back = NULL;
  static char text[1 << 20];
  FILE *file = tmpfile();
  bp_sink sink;
  bp_sink_stdio(&sink, file);
  if (!file || bp_pushdown_write(p, &sink) != BP_OK) exit(2);
  rewind(file);
  const size_t len = fread(text, 1, sizeof text, file);
  fclose(file);
  need(bp_pushdown_read(&back, ctx, text, len, "again"));
  bp_pushdown_unref(p);
  return back;
}

/* The values of the globals with which the program can begin, one after the other. */
typedef struct starts {
  uint8_t at[1 << 16];
  uint32_t globals, count;
} starts;

static int collect(const bp_configuration *one, void *user)
{
  starts *s = user;
  const uint32_t n = s->globals;
  if (s->count && !memcmp(s->at + (s->count - 1) * n, one->globals, n)) return 0;
  if ((s->count + 1) * n > sizeof s->at) exit(2);
  if (n) memcpy(s->at + s->count * n, one->globals, n);
  s->count++;
  return 0;
}

/* Whether pre* of all stacks with that vertex on top has a start. */
static int reached_backwards(bp_pushdown *pushdown, const starts *s, uint32_t entry,
                             uint32_t vertex)
{
  bp_configurations *goal, *before;
  int found = 0;
  need(bp_configurations_new(&goal, ctx, manager, pushdown));
  const uint32_t rest = bp_configurations_state(goal, "rest");
  need(bp_configurations_transition(goal, 0, vertex, rest, NULL));
  for (uint32_t i = 0; i < bp_pushdown_symbol_count(pushdown); i++)
    need(bp_configurations_transition(goal, rest, i, rest, NULL));
  need(bp_configurations_accept(goal, rest, NULL));
  need(bp_pushdown_pre(&before, goal, NULL));
  for (uint32_t i = 0; i < s->count && !found; i++) {
    const bp_configuration one = {0, 1, s->at + i * s->globals, &entry, NULL};
    need(bp_configurations_contains(&found, before, &one));
  }
  bp_configurations_unref(goal);
  bp_configurations_unref(before);
  return found;
}

static int mark_head(const bp_head *head, void *user)
{
  ((uint8_t *)user)[head->symbol] = 1;
  return 0;
}

static uint32_t compare(const bp_program *program, const char *name, int by_text)
{
  bp_cfg *cfg;
  bp_query *query;
  bp_answer *answer;
  bp_pushdown *pushdown;
  bp_configurations *start, *post;
  uint32_t wrong = 0;
  static starts begun;
  need(bp_cfg_new(&cfg, ctx, program));
  const uint32_t count = bp_cfg_vertex_count(cfg);
  const uint32_t entry = bp_cfg_proc_entry(cfg, bp_program_entry(program));
  need(bp_query_new(&query, ctx, manager, cfg, NULL));
  for (uint32_t v = 0; v < count; v++)
    need(bp_query_add_vertex(query, v, NULL));
  need(bp_query_run(query));
  need(bp_query_answer(&answer, query));
  need(bp_pushdown_from_cfg(&pushdown, ctx, cfg));
  if (by_text) pushdown = again(pushdown);
  start = start_of(pushdown);
  need(bp_pushdown_post(&post, start, NULL));
  begun.count = 0;
  begun.globals = bp_pushdown_global_count(pushdown);
  need(bp_configurations_each(start, 1, collect, &begun));
  uint8_t *heads = calloc(bp_pushdown_symbol_count(pushdown), 1);
  if (!heads) exit(2);
  need(bp_configurations_heads(post, 1, mark_head, heads));
  for (uint32_t v = 0; v < count; v++) {
    int head = 0;
    need(bp_configurations_has_head(&head, post, 0, v, NULL));
    const int query_says = bp_answer_verdict(answer, v) == BP_REACHABLE;
    const int back = v % 5 ? query_says : reached_backwards(pushdown, &begun, entry, v);
    if (head == query_says && back == query_says && heads[v] == head) continue;
    printf("%s: %s: query %d, post* %d, pre* %d\n", name, bp_pushdown_symbol_name(pushdown, v),
           query_says, head, back);
    wrong++;
  }
  free(heads);
  bp_configurations_unref(post);
  bp_configurations_unref(start);
  bp_pushdown_unref(pushdown);
  bp_answer_unref(answer);
  bp_query_unref(query);
  bp_cfg_unref(cfg);
  return wrong;
}

int main(int argc, char **argv)
{
  uint32_t wrong = 0, vertices = 0;
  if (bp_context_new(&ctx) != BP_OK) return 2;
  need(bp_manager_new(&manager, ctx, NULL));
  for (int i = 1; i < argc; i++) {
    size_t len;
    bp_program *program;
    char *text = read_file(argv[i], &len);
    need(bp_program_parse(&program, ctx, text, len, argv[i], NULL));
    wrong += compare(program, argv[i], i % 2);
    bp_program_unref(program);
    free(text);
    vertices++;
  }
  printf("%u programs, %u differences\n", (unsigned)vertices, (unsigned)wrong);
  bp_manager_unref(manager);
  bp_context_unref(ctx);
  return wrong > 0;
}
