/* SPDX-License-Identifier: MIT
 * Boolean functions of six variables as 64-bit truth tables, beside their BDDs: bit i of a table is
 * the value where variable v is bit v of i. */
#ifndef TEST_FUNCTIONS_H
#define TEST_FUNCTIONS_H

#include "bdd/bdd.h"
#include "random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef uint64_t table;
enum { TABLE_VARS = 6 };

/* Makes a manager with `slots` slots, entered; `nodes` 0: the default. */
bp_manager *manager_open(bp_kernel kernel, uint64_t nodes, uint32_t slots);
void manager_close(bp_manager *m);

/* The table of variable v, and of a function with variable v set to a value. */
table table_var(uint32_t v);
table table_cofactor(table t, uint32_t v, int value);
table table_exists(table t, uint32_t vars); /* vars: a mask */
uint32_t table_support(table t);            /* a mask */
/* The nodes of its BDD in the order of the variables, without complemented edges and constants. */
uint64_t table_nodes(table t);

/* The BDD of a table, its variable v being names[v] (NULL: v itself). One reference. */
bpi_bdd table_bdd(bp_manager *m, table t, const uint32_t *names);
/* The table of a BDD over the variables names[0..5]. */
table bdd_table(bp_manager *m, bpi_bdd a, const uint32_t *names);
/* Follows one path; values[var]. */
int bdd_eval(bp_manager *m, bpi_bdd a, const uint8_t *values);

/* A pseudo-random function of 18 variables with about 32000 nodes. */
enum { BIG_VARS = 18 };
bpi_bdd big_function(bp_manager *m, uint64_t seed);
/* Tries `count` random assignments: 1 when all agree. */
int big_agrees(bp_manager *m, bpi_bdd a, uint64_t seed, uint32_t count);

#endif
