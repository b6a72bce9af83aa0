/* SPDX-License-Identifier: MIT
 * Numbers in the variable order: each allocation fails once. */
#include "failing_malloc.h"
#include "numbered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void test_faults(void **state)
{
  long failed = 1, refused = 0;
  (void)state;
  for (long k = 1; failed; k++) {
    e = NULL;
    open_program(numbered_text);
    malloc_fail_at(k, 0);
    const bp_status status = make_engine();
    failed = malloc_failures();
    malloc_fail_at(0, 0);
    /* Sorting does without the memory that it would like to have. */
    assert_true(status == BP_OK || (failed && status == BP_E_NOMEM));
    refused += status == BP_E_NOMEM;
    close_program();
  }
  assert_true(refused > 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_faults)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
