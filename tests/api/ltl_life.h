/* SPDX-License-Identifier: MIT
 * A question of temporal logic, from the first handle to the last step of its counterexample. */
#ifndef TEST_LTL_LIFE_H
#define TEST_LTL_LIFE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <bp/bp.h>

typedef struct ltl_sample {
  const char *program, *formula;
  bp_ltl_verdict verdict;
  bp_ltl_end end;         /* of a violated one */
  uint64_t prefix, round; /* lengths with every call opened */
  uint32_t growth;
} ltl_sample;
extern const ltl_sample ltl_samples[];
extern const uint32_t ltl_sample_count;

typedef struct ltl_handles {
  bp_context *ctx;
  bp_program *program;
  bp_cfg *cfg;
  bp_manager *m;
  bp_formula *formula;
  bp_ltl *ltl;
} ltl_handles;

/* What was found: lengths are UINT64_MAX where there was no answer. */
typedef struct ltl_facts {
  bp_ltl_verdict verdict;
  uint64_t prefix, round, bytes;
} ltl_facts;

/* Both stop at the first status other than BP_OK. */
bp_status ltl_open(ltl_handles *h, const ltl_sample *s, const bp_ltl_options *options,
                   bp_kernel kernel);
/* Runs, looks at the counterexample, replays it and writes the document. BP_OK also when the run is
 * undecided: then nothing else was done. */
bp_status ltl_ask(ltl_handles *h, ltl_facts *f);
void ltl_close(ltl_handles *h);
/* Whether the facts are those of the sample; `partly`: what is not known may be missing. */
int ltl_right(const ltl_sample *s, const ltl_handles *h, const ltl_facts *f, int partly);

#endif
