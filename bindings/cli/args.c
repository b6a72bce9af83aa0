/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "cmd.h"
#include "options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOBS = 1024 };

static const char *const engine_names[] = {
    "live",    "modref",   "cone",  "delta", "early",     "chain",  "order",    "loop",
    "context", "localize", "share", "post",  "recursion", "narrow", "backward", "execute"};

void cli_usage_error(const cli_command *command, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  fputs("bp: ", stderr);
  vfprintf(stderr, format, list);
  va_end(list);
  fprintf(stderr, "\nTry 'bp help%s%s'.\n", command ? " " : "", command ? command->name : "");
}

bool cli_option_help(int index, unsigned mask, const char **spelling, const char **text)
{
  for (int i = 0; i < OPTION_COUNT; i++)
    if (cli_options[i].spelling && cli_options[i].commands & mask && index-- == 0) {
      *spelling = cli_options[i].spelling;
      *text = cli_options[i].text;
      return true;
    }
  return false;
}

/* ---- values ------------------------------------------------------------ */

static bool bad_value(const cli_args *args, option_id id, const char *value, const char *wanted)
{
  cli_usage_error(args->command, "--%s: '%s' is not %s", cli_options[id].name, value, wanted);
  return false;
}

/* The position of `value` in a list of `count` words, or -1. */
static int word_of(const char *value, size_t len, const char *const *words, int count)
{
  for (int i = 0; i < count; i++)
    if (strlen(words[i]) == len && !memcmp(words[i], value, len)) return i;
  return -1;
}

static bool read_word(const cli_args *args, option_id id, const char *value,
                      const char *const *words, int count, int *out)
{
  *out = word_of(value, strlen(value), words, count);
  if (*out >= 0) return true;
  cli_usage_error(args->command, "--%s: '%s' is none of: %s", cli_options[id].name, value,
                  cli_options[id].spelling + strlen(cli_options[id].name) + 3);
  return false;
}

static bool too_large(const cli_args *args, option_id id, const char *value, uint64_t most)
{
  cli_usage_error(args->command, "--%s: '%s' is more than %" PRIu64, cli_options[id].name, value,
                  most);
  return false;
}

/* Decimal digits from *text on; false when there are none. *fits: whether *out is at most `most`. */
static bool read_digits(const char **text, uint64_t most, uint64_t *out, bool *fits)
{
  const char *first = *text;
  *out = 0;
  *fits = true;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    const unsigned digit = (unsigned)(**text - '0');
    if (*out > most / 10 || *out * 10 > most - digit) *fits = false;
    if (*fits) *out = *out * 10 + digit;
  }
  return *text != first;
}

static bool read_number(const cli_args *args, option_id id, const char *value, uint64_t most,
                        uint64_t *out)
{
  const char *rest = value;
  bool fits;
  if (!read_digits(&rest, most, out, &fits) || *rest)
    return bad_value(args, id, value, "a whole number");
  return fits || too_large(args, id, value, most);
}

/* Seconds with an optional fraction, as milliseconds rounded up. The decimal mark is always a
 * point, so not strtod(). */
static bool read_seconds(const cli_args *args, option_id id, const char *value, uint64_t *out)
{
  const uint64_t century = 3153600000; /* in nanoseconds, twice that still fits 64 bits */
  const char *rest = value;
  uint64_t whole = 0, milli = 0;
  bool fits, digits = read_digits(&rest, century, &whole, &fits), beyond = false;
  if (*rest == '.') {
    unsigned weight = 100;
    for (rest++; *rest >= '0' && *rest <= '9'; rest++, weight /= 10) {
      digits = true;
      milli += weight * (unsigned)(*rest - '0');
      beyond = beyond || (!weight && *rest != '0');
    }
  }
  if (!digits || *rest) return bad_value(args, id, value, "a number of seconds");
  *out = whole * 1000 + milli + beyond;
  return (fits && *out <= century * 1000) || too_large(args, id, value, century);
}

static bool read_engine_parts(cli_args *args, const char *value)
{
  for (const char *name = value;; name++) {
    const size_t len = strcspn(name, ",");
    const int part = word_of(name, len, engine_names, sizeof engine_names / sizeof *engine_names);
    if (part < 0)
      return bad_value(args, OPT_ENGINE_OFF, value,
                       "a list of live, modref, cone, delta, early, chain, order, loop, context, "
                       "localize, share, post, recursion, narrow, backward, execute");
    args->engine_off |= 1u << part;
    name += len;
    if (!*name) return true;
  }
}

static bool read_ltl_parts(cli_args *args, const char *value)
{
  static const char *const parts[] = {"safety", "monotone"};
  for (const char *name = value;; name++) {
    const size_t len = strcspn(name, ",");
    const int part = word_of(name, len, parts, 2);
    if (part < 0) return bad_value(args, OPT_LTL_OFF, value, "a list of safety, monotone");
    if (part)
      args->no_monotone = true;
    else
      args->no_safety = true;
    name += len;
    if (!*name) return true;
  }
}

static bool read_jobs(cli_args *args, const char *value)
{
  uint64_t jobs = 0;
  if (!read_number(args, OPT_JOBS, value, MOST_JOBS, &jobs)) return false;
  if (!jobs) return bad_value(args, OPT_JOBS, value, "a number of threads");
  args->jobs = (uint32_t)jobs;
  return true;
}

static bool read_levels(cli_args *args, const char *value)
{
  uint64_t levels = BP_NONE;
  if (value && !read_number(args, OPT_EXPAND, value, BP_NONE - 1, &levels)) return false;
  args->levels = (uint32_t)levels;
  return true;
}

/* ---- options ----------------------------------------------------------- */

static bool set_word(cli_args *args, option_id id, const char *value)
{
  static const char *const precedences[] = {"getafix", "satabs"};
  static const char *const deads[] = {"havoc", "ignore"};
  static const char *const fall_offs[] = {"any", "block", "error"};
  static const char *const undeclareds[] = {"error", "local"};
  static const char *const languages[] = {"boolean", "remopla"};
  static const char *const overflows[] = {"block", "error"};
  static const char *const locals[] = {"any", "zero"};
  static const char *const kernels[] = {"native", "buddy"};
  static const char *const searches[] = {"closure", "emerson-lei", "xie-beerel"};
  static const bp_ltl_search search[] = {BP_LTL_CLOSURE, BP_LTL_EMERSON_LEI, BP_LTL_XIE_BEEREL};
  int n;
  switch (id) {
  case OPT_PRECEDENCE:
    if (!read_word(args, id, value, precedences, 2, &n)) return false;
    args->reading.precedence = (bp_precedence)n;
    return true;
  case OPT_DEAD:
    if (!read_word(args, id, value, deads, 2, &n)) return false;
    args->reading.dead = (bp_dead)n;
    return true;
  case OPT_LANGUAGE:
    if (!read_word(args, id, value, languages, 2, &n)) return false;
    args->reading.language = (bp_language)n;
    args->language_given = true;
    return true;
  case OPT_OVERFLOW:
    if (!read_word(args, id, value, overflows, 2, &n)) return false;
    args->reading.overflow = (bp_overflow)n;
    return true;
  case OPT_LOCALS:
    if (!read_word(args, id, value, locals, 2, &n)) return false;
    args->reading.locals = (bp_locals)n;
    return true;
  case OPT_KERNEL:
    if (!read_word(args, id, value, kernels, 2, &n)) return false;
    args->kernel = (bp_kernel)n;
    return true;
  case OPT_SEARCH:
    if (!read_word(args, id, value, searches, 3, &n)) return false;
    args->search = search[n];
    return true;
  case OPT_FALL_OFF:
    if (!read_word(args, id, value, fall_offs, 3, &n)) return false;
    args->reading.fall_off = (bp_fall_off)n;
    return true;
  default:
    if (!read_word(args, id, value, undeclareds, 2, &n)) return false;
    args->reading.undeclared = (bp_undeclared)n;
    return true;
  }
}

static bool set_option(cli_args *args, option_id id, const char *value)
{
  switch (id) {
  case OPT_ENTRY: args->reading.entry = value; break;
  case OPT_STRICT: args->reading.strict = 1; break;
  case OPT_INIT: args->init = value; break;
  case OPT_WHEN: args->when = value; break;
  case OPT_ASSERTS: args->asserts = true; break;
  case OPT_TIMEOUT: return read_seconds(args, id, value, &args->timeout_ms);
  case OPT_MAX_NODES: return read_number(args, id, value, UINT64_MAX, &args->max_nodes);
  case OPT_MAX_MEMORY: return read_number(args, id, value, UINT32_MAX, &args->max_megabytes);
  case OPT_MAX_STEPS: return read_number(args, id, value, UINT64_MAX, &args->max_steps);
  case OPT_NO_TRACE: args->no_trace = true; break;
  case OPT_EXPAND: return read_levels(args, value);
  case OPT_SHORTEST: args->shortest = true; break;
  case OPT_ANY_TRACE: args->any_trace = true; break;
  case OPT_REVERSE: args->reverse = true; break;
  case OPT_REACHED: args->reached = true; break;
  case OPT_CHC: args->chc = true; break;
  case OPT_BOOLEAN: args->boolean = true; break;
  case OPT_PUSHDOWN: args->pushdown = true; break;
  case OPT_JSON: args->json = true; break;
  case OPT_STATS: args->stats = true; break;
  case OPT_QUIET: args->quiet = true; break;
  case OPT_SIFT: args->sift = true; break;
  case OPT_JOBS: return read_jobs(args, value);
  case OPT_ENGINE_OFF: return read_engine_parts(args, value);
  case OPT_LTL_OFF: return read_ltl_parts(args, value);
  case OPT_AUTOMATON: args->automaton = value; break;
  case OPT_PRINT_AUTOMATON: args->print_automaton = true; break;
  case OPT_AT: args->at = value; break;
  case OPT_BELOW: args->below = value; break;
  case OPT_NOT_BELOW: args->not_below = value; break;
  case OPT_DATA: args->data = true; break;
  case OPT_DOT: args->dot = true; break;
  case OPT_HELP: args->help = true; break;
  case OPT_VERSION: args->version = true; break;
  default: return set_word(args, id, value);
  }
  return true;
}

static int option_named(const char *name, size_t len)
{
  for (int i = 0; i < OPTION_COUNT; i++)
    if (strlen(cli_options[i].name) == len && !memcmp(cli_options[i].name, name, len)) return i;
  return -1;
}

/* Reads the option argv[*index] and its value; marks it in `used`. */
static bool read_option(cli_args *args, int argc, char **argv, int *index, bool *used)
{
  const char *word = argv[*index];
  const bool jobs = word[1] == 'j'; /* -j 2, -j2, -j=2 */
  const size_t len = jobs ? 2 : strcspn(word, "=");
  const int id = !strcmp(word, "-h") ? OPT_HELP
                 : jobs              ? OPT_JOBS
                 : word[1] == '-'    ? option_named(word + 2, len - 2)
                                     : -1;
  if (id < 0) {
    cli_usage_error(args->command, "unknown option '%.*s'", (int)len, word);
    return false;
  }
  const char *value = word[len] ? word + len + (word[len] == '=') : NULL;
  if (value && cli_options[id].value == NO_VALUE) {
    cli_usage_error(args->command, "--%s takes no value", cli_options[id].name);
    return false;
  }
  if (!value && cli_options[id].value == VALUE && ++*index < argc) value = argv[*index];
  if (!value && cli_options[id].value == VALUE) {
    cli_usage_error(args->command, "--%s needs a value", cli_options[id].name);
    return false;
  }
  /* Of two different conditions or limits, neither may get lost in silence. Lists add up. */
  if (used[id] && cli_options[id].value != NO_VALUE && id != OPT_ENGINE_OFF) {
    cli_usage_error(args->command, "--%s is given twice", cli_options[id].name);
    return false;
  }
  used[id] = true;
  return set_option(args, (option_id)id, value);
}

/* ---- the whole line ---------------------------------------------------- */

void cli_command_unknown(const char *name)
{
  cli_usage_error(NULL, "unknown command '%s'", name);
}

static bool read_operand(cli_args *args, const char *word)
{
  if (args->command) {
    args->operands[args->operand_count++] = word;
    return true;
  }
  args->command = cli_command_find(word);
  if (args->command) return true;
  cli_command_unknown(word);
  return false;
}

static bool check_line(const cli_args *args, const bool *used)
{
  const cli_command *c = args->command;
  if (args->help || args->version) return true;
  if (!c) {
    cli_usage_error(NULL, "no command");
    return false;
  }
  for (int i = 0; i < OPTION_COUNT; i++)
    if (used[i] && !(cli_options[i].commands & c->bit)) {
      cli_usage_error(c, "%s takes no option --%s", c->name, cli_options[i].name);
      return false;
    }
  if (args->operand_count < c->least) {
    cli_usage_error(c, "%s needs %s", c->name, c->operands);
    return false;
  }
  if (c->most >= 0 && args->operand_count > c->most) {
    cli_usage_error(c, "too many operands: '%s'", args->operands[c->most]);
    return false;
  }
  if (args->any_trace && args->shortest) {
    cli_usage_error(c, "--any-trace: not with --shortest");
    return false;
  }
  if (args->kernel == BP_KERNEL_BUDDY && args->max_megabytes) {
    cli_usage_error(c, "--max-memory: BuDDy's memory has no limit");
    return false;
  }
  if (args->kernel == BP_KERNEL_BUDDY && args->sift) {
    cli_usage_error(c, "--sift: BuDDy cannot reorder within limits");
    return false;
  }
  if (args->kernel == BP_KERNEL_BUDDY && args->jobs > 1) {
    cli_usage_error(c, "--jobs: BuDDy works in one thread only");
    return false;
  }
  return true;
}

/* The table is as large as the limit asks for, up to what the kernel can do; smaller limits hold inside it. */
static uint64_t table_nodes(const cli_args *args)
{
  const uint64_t usual = (uint64_t)1 << 24, most = (uint64_t)1 << 29;
  if (args->kernel == BP_KERNEL_BUDDY || args->max_nodes <= usual) return 0;
  return args->max_nodes < most ? args->max_nodes : most;
}

bp_manager_options cli_manager_options(const cli_args *args)
{
  return (bp_manager_options){.size = sizeof(bp_manager_options),
                              .nodes = table_nodes(args),
                              .kernel = args->kernel,
                              .sift = args->sift,
                              .bytes = args->max_megabytes * 1000000};
}

bool cli_args_read(cli_args *args, int argc, char **argv)
{
  bool used[OPTION_COUNT] = {false};
  bool only_operands = false;
  *args = (cli_args){.reading = {.size = sizeof args->reading}, .jobs = 1};
  args->operands = malloc((size_t)(argc > 0 ? argc : 1) * sizeof *args->operands);
  if (!args->operands) {
    fputs("bp: out of memory\n", stderr);
    return false;
  }
  for (int i = 1; i < argc; i++) {
    const bool is_option = !only_operands && argv[i][0] == '-' && argv[i][1];
    if (is_option && !strcmp(argv[i], "--"))
      only_operands = true;
    else if (!(is_option ? read_option(args, argc, argv, &i, used) : read_operand(args, argv[i])))
      return false;
  }
  return check_line(args, used);
}

void cli_args_free(cli_args *args)
{
  free(args->operands);
  args->operands = NULL;
}
