/* SPDX-License-Identifier: MIT
 *
 * libbp: reachability and temporal logic in boolean programs. This header pulls in all others, in
 * the order of the flow; each also works alone.
 *
 *   text -> program -> control-flow graph -> query (BDDs in a manager) -> answer, trace
 *                              `-> pushdown system -> sets of configurations
 *   text -> formula -> automaton
 *                            `-> with a graph: ltl -> verdict, a prefix and a loop as traces
 */
#ifndef BP_BP_H
#define BP_BP_H

#include <bp/version.h>
#include <bp/status.h>
#include <bp/context.h>
#include <bp/program.h>
#include <bp/builder.h>
#include <bp/cfg.h>
#include <bp/manager.h>
#include <bp/query.h>
#include <bp/answer.h>
#include <bp/trace.h>
#include <bp/reachable.h>
#include <bp/pushdown.h>
#include <bp/stacks.h>
#include <bp/formula.h>
#include <bp/automaton.h>
#include <bp/ltl.h>

#endif
