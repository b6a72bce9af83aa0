/* SPDX-License-Identifier: MIT
 * Builds pushdown systems and sets from lines of commands and answers questions, for pushdown_diff.py.
 * Numbers are ids, `-` is none; what is left of a line is a relation, and `-` no relation.
 *
 *   system | control NAME | symbol NAME | global NAME | local SYMBOL NAME
 *   (a set's states: control locations, then those of `state`)
 *   rule FROM SYMBOL TO TOP BELOW RELATION | set | state | transition FROM SYMBOL TO RELATION
 *   accept STATE CONDITION | post | pre
 *   members HEIGHT       prints each member and `end`
 *   add CONFIGURATION | contains CONFIGURATION     CONTROL GLOBALS SYMBOL:LOCALS ..., values as 0 and 1
 *   head CONTROL SYMBOL CONDITION | empty          prints 0 or 1 */
#include <bp/bp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, DEPTH = 64, VALUES = 1024 };

static bp_context *ctx;
static bp_manager *manager;
static bp_pushdown_builder *builder;
static bp_pushdown *pushdown;
static bp_configurations *set;
static uint32_t states[256], state_count; /* in the order of `state`, control locations first */
static int by_text;                       /* systems go through their text */

static void need(int good)
{
  if (good) return;
  fprintf(stderr, "pds_many: %s\n", bp_context_message(ctx));
  exit(2);
}

/* The next word of a line; the line loses it. */
static char *word(char **line)
{
  char *at = *line + strspn(*line, " ");
  char *end = at + strcspn(at, " ");
  *line = *end ? end + 1 : end;
  *end = '\0';
  return at;
}

static uint32_t number(char **line)
{
  const char *at = word(line);
  return strcmp(at, "-") ? (uint32_t)strtoul(at, NULL, 10) : BP_NONE;
}

static const char *relation(const char *line)
{
  return strcmp(line, "-") ? line : NULL;
}

static uint32_t values(const char *at, uint8_t *out)
{
  uint32_t count = 0;
  for (; *at == '0' || *at == '1'; at++)
    out[count++] = *at == '1';
  return count;
}

static const bp_configuration *configuration(char *line)
{
  static bp_configuration one;
  static uint32_t symbols[DEPTH];
  static uint8_t globals[VALUES], locals[VALUES];
  uint32_t count = 0;
  one = (bp_configuration){number(&line), 0, globals, symbols, locals};
  values(word(&line) + 1, globals);
  while (*line) {
    const char *at = word(&line);
    symbols[one.height++] = (uint32_t)strtoul(at, NULL, 10);
    count += values(strchr(at, ':') + 1, locals + count);
  }
  return &one;
}

static int print_member(const bp_configuration *one, void *user)
{
  const uint8_t *locals = one->locals;
  (void)user;
  printf("%u _", (unsigned)one->control);
  for (uint32_t i = 0; i < bp_pushdown_global_count(pushdown); i++)
    printf("%d", one->globals[i]);
  for (uint32_t k = 0; k < one->height; k++) {
    printf(" %u:", (unsigned)one->symbols[k]);
    for (uint32_t i = 0; i < bp_pushdown_local_count(pushdown, one->symbols[k]); i++)
      printf("%d", *locals++);
  }
  printf("\n");
  return 0;
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
  need(bp_pushdown_read(&back, ctx, text, len, "again") == BP_OK);
  bp_pushdown_unref(p);
  return back;
}

static void begin_system(void)
{
  bp_configurations_unref(set);
  bp_pushdown_unref(pushdown);
  bp_pushdown_builder_free(builder);
  set = NULL;
  pushdown = NULL;
  need(bp_pushdown_builder_new(&builder, ctx) == BP_OK);
}

static void begin_set(void)
{
  if (!pushdown) {
    need(bp_pushdown_builder_finish(builder, &pushdown) == BP_OK);
    if (by_text) pushdown = again(pushdown);
  }
  bp_configurations_unref(set);
  need(bp_configurations_new(&set, ctx, manager, pushdown) == BP_OK);
  for (state_count = 0; state_count < bp_pushdown_control_count(pushdown); state_count++)
    states[state_count] = state_count;
}

static void declare(const char *command, char *line)
{
  uint32_t id = BP_NONE;
  if (!strcmp(command, "control")) id = bp_pushdown_builder_control(builder, line);
  if (!strcmp(command, "symbol")) id = bp_pushdown_builder_symbol(builder, line);
  if (!strcmp(command, "global")) id = bp_pushdown_builder_global(builder, line);
  if (!strcmp(command, "local")) {
    const uint32_t symbol = number(&line);
    id = bp_pushdown_builder_local(builder, symbol, line);
  }
  if (!strcmp(command, "state")) id = states[state_count++] = bp_configurations_state(set, NULL);
  if (id == BP_NONE) fprintf(stderr, "pds_many: %s?\n", command);
  need(id != BP_NONE);
}

static void add_rule(char *line)
{
  uint32_t n[5];
  for (int i = 0; i < 5; i++)
    n[i] = number(&line);
  need(bp_pushdown_builder_rule(builder, n[0], n[1], n[2], n[3], n[4], relation(line)) == BP_OK);
}

static void saturate(int forwards)
{
  bp_configurations *next;
  need((forwards ? bp_pushdown_post : bp_pushdown_pre)(&next, set, NULL) == BP_OK);
  bp_configurations_unref(set);
  set = next;
}

static void ask(const char *command, char *line)
{
  int answer = 0;
  if (!strcmp(command, "head")) {
    const uint32_t control = number(&line), symbol = number(&line);
    need(bp_configurations_has_head(&answer, set, control, symbol, relation(line)) == BP_OK);
  } else if (!strcmp(command, "contains")) {
    need(bp_configurations_contains(&answer, set, configuration(line)) == BP_OK);
  } else {
    need(bp_configurations_is_empty(&answer, set) == BP_OK);
  }
  printf("%d\n", answer);
}

static void run(const char *command, char *line)
{
  if (!strcmp(command, "system")) {
    begin_system();
  } else if (!strcmp(command, "set")) {
    begin_set();
  } else if (!strcmp(command, "rule")) {
    add_rule(line);
  } else if (!strcmp(command, "transition")) {
    const uint32_t from = number(&line), symbol = number(&line), to = number(&line);
    need(bp_configurations_transition(set, states[from], symbol, states[to], relation(line)) ==
         BP_OK);
  } else if (!strcmp(command, "accept")) {
    const uint32_t state = number(&line);
    need(bp_configurations_accept(set, states[state], relation(line)) == BP_OK);
  } else if (!strcmp(command, "add")) {
    need(bp_configurations_add(set, configuration(line)) == BP_OK);
  } else if (!strcmp(command, "post") || !strcmp(command, "pre")) {
    saturate(!strcmp(command, "post"));
  } else if (!strcmp(command, "members")) {
    need(bp_configurations_each(set, number(&line), print_member, NULL) == BP_OK);
    printf("end\n");
  } else if (!strcmp(command, "head") || !strcmp(command, "contains") ||
             !strcmp(command, "empty")) {
    ask(command, line);
  } else {
    declare(command, line);
  }
}

int main(int argc, char **argv)
{
  static char line[LINE];
  bp_manager_options options = {.size = sizeof options, .max_vars = 300};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--buddy")) options.kernel = BP_KERNEL_BUDDY;
    if (!strcmp(argv[i], "--text")) by_text = 1;
  }
  if (bp_context_new(&ctx) != BP_OK) return 2;
  need(bp_manager_new(&manager, ctx, &options) == BP_OK);
  while (fgets(line, sizeof line, stdin)) {
    char *rest = line;
    line[strcspn(line, "\n")] = '\0';
    const char *command = word(&rest);
    if (*command) run(command, rest);
  }
  bp_configurations_unref(set);
  bp_pushdown_unref(pushdown);
  bp_pushdown_builder_free(builder);
  bp_manager_unref(manager);
  bp_context_unref(ctx);
  return 0;
}
