/* SPDX-License-Identifier: MIT
 * Forms: a procedure, or a call, written as words that tell everything its relations depend on. Equal
 * forms share what was made for the first of them. */
#ifndef BPI_FORM_H
#define BPI_FORM_H

#include "engine/body.h"

/* Write e->form; false without memory. */
bool bpi_write_form(bpi_engine *e, uint32_t proc);
/* Whether two twins have one form. */
bool bpi_same_form(const bpi_engine *e, uint32_t proc, uint32_t twin);
bool bpi_write_call_form(bpi_engine *e, uint32_t vertex);

/* Where the value for the form that is written stands, NULL if none was made so far; NULL without
 * memory. It moves when another form is added. */
void **bpi_form_find(bpi_engine *e, bpi_forms *forms);
void bpi_forms_free(bpi_forms *forms);

#endif
