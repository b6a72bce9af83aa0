/* SPDX-License-Identifier: MIT
 * Small programs with known answers, and a walk through everything that a query can be asked. */
#ifndef TEST_SAMPLES_H
#define TEST_SAMPLES_H

#include <bp/bp.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SAMPLE_TARGETS = 4 };

typedef struct sample {
  const char *name, *text;
  /* Spelled as for bp_query_add(); "assert" stands for all assertions. NULL: no more. */
  const char *targets[SAMPLE_TARGETS];
  bp_verdict verdicts[SAMPLE_TARGETS];
} sample;

extern const sample samples[];
extern const uint32_t sample_count;
extern const char fig1_text[];

/* ---- handles ------------------------------------------------------------- */

typedef struct handles {
  bp_context *ctx;
  bp_program *p;
  bp_cfg *cfg;
  bp_manager *m;
  bp_query *q;
} handles;

/* What managers are made on from now. */
extern bp_kernel sample_kernel;

/* Parses, builds the graph, makes a manager and a query without targets; all must succeed. */
void handles_open(handles *h, const char *text, uint32_t off);
void handles_open_sample(handles *h, const sample *s, uint32_t off);
/* The same up to the graph, in steps that may fail: BP_OK or the first other status. */
bp_status handles_try_sample(handles *h, const sample *s, uint32_t off);
void handles_close(handles *h);
/* The vertex of a label anywhere in the program. */
uint32_t vertex_of_label(const handles *h, const char *label);
bp_status add_targets(bp_query *q, const sample *s);
uint64_t steps_of(bp_query *q);

/* ---- a walk through everything ------------------------------------------- */

/* What was found: enough to tell two answers apart. */
typedef struct facts {
  bp_verdict verdicts[SAMPLE_TARGETS];
  uint64_t lengths[SAMPLE_TARGETS];  /* hierarchical */
  uint64_t expanded[SAMPLE_TARGETS]; /* of a trace that is minimal expanded */
  uint64_t states; /* a hash over the states of all vertices, the summaries and invariants */
} facts;

/* What to do when a call answers that it was stopped or found no memory: `again`, if not NULL, says
 * whether to call once more. */
typedef struct patience {
  int (*again)(void *user);
  void *user;
} patience;

/* BP_OK when all is done; else the first status of a call that was not repeated. UNDECIDED after a
 * run counts as BP_E_LIMIT. */
bp_status ask_run(const handles *h, facts *f, const patience *p);
bp_status ask_traces(const handles *h, facts *f, const patience *p);
bp_status ask_states(const handles *h, facts *f, const patience *p);
bp_status ask_all(const handles *h, facts *f, const patience *p);

/* Right or UNDECIDED; with `decided` right. */
void check_verdicts(const sample *s, const facts *f, int decided);
/* What differs, or NULL. */
const char *difference(const facts *a, const facts *b);

/* ---- sinks --------------------------------------------------------------- */

typedef struct text_buffer {
  char bytes[1 << 16];
  size_t len;
} text_buffer;
bp_sink text_sink(text_buffer *t);
bp_sink refusing_sink(void);

#endif
