/* SPDX-License-Identifier: MIT
 * Makes the node table full at a chosen node.
 *
 * Every call of bdd_makenode() inside libbdd.so goes through its PLT, so a definition in the
 * program comes first. failing_makenode.c is that definition: it counts, passes on to the real one
 * (dlsym(RTLD_NEXT)), and at the chosen call does what the real one does when the table is full:
 * bdd_error(BDD_NODENUM), then the error condition and node 0. Link the file into a test together
 * with the shared libbdd; a static libbdd.a would define the name twice. */
#ifndef FAILING_MAKENODE_H
#define FAILING_MAKENODE_H

/* The k-th call from now fails, once; 0: none does. The count of calls begins anew. */
void makenode_fail_at(long k);
long makenode_calls(void);
/* Whether the chosen call came. */
int makenode_failed(void);

#endif
