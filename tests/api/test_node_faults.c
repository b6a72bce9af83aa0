/* SPDX-License-Identifier: MIT
 * BuDDy's node table full at every single node: no failure may ever turn into a verdict. */
#include "samples.h"

#include "failing_makenode.h"

enum { PATIENCE = 1, DENSE = 3000, SPARSE = 150 };

/* Calls once more when it was the fault that ended the call. `every`: further faults follow. */
typedef struct fault {
  long every;
  int left;
} fault;

static int again(void *user)
{
  fault *f = user;
  if (!makenode_failed()) return 0;
  makenode_fail_at(f->left > 0 ? f->every : 0);
  return f->left-- > 0 || f->left == -1;
}

static void check(const sample *s, uint32_t off, long k, const facts *f, const facts *right)
{
  const char *what = difference(f, right);
  if (what) fail_msg("%s, switches %#x, node %ld: %s differ", s->name, off, k, what);
}

typedef bp_status ask_fn(const handles *h, facts *f, const patience *p);

/* The query opened before any fault, then asked with its k-th node failing. Returns whether a node
 * failed. With `patience` each call that fails is repeated; in any case everything is asked again,
 * of the same query and without faults. */
static int one(const sample *s, uint32_t off, ask_fn *ask, long k, const patience *p,
               const facts *right)
{
  handles h;
  facts first = {0}, second = {0};
  handles_open_sample(&h, s, off);
  makenode_fail_at(k);
  const bp_status status = ask(&h, &first, p);
  const int failed = makenode_failed() || p;
  const int fault_came = makenode_failed();
  makenode_fail_at(0);
  check_verdicts(s, &first, 0);
  if (status != BP_OK) {
    assert_true(failed);
    assert_true(status == BP_E_LIMIT || status == BP_E_NOMEM);
    if (status == BP_E_LIMIT) assert_int_equal(bp_query_reason(h.q), BP_REASON_NODES);
  } else {
    check(s, off, k, &first, right);
  }
  assert_int_equal(ask(&h, &second, NULL), BP_OK);
  check(s, off, k, &second, right);
  handles_close(&h);
  return fault_came;
}

/* How many nodes it takes, and what comes out. */
static long measure(const sample *s, uint32_t off, ask_fn *ask, facts *right)
{
  handles h;
  handles_open_sample(&h, s, off);
  makenode_fail_at(0);
  assert_int_equal(ask(&h, right, NULL), BP_OK);
  const long calls = makenode_calls();
  check_verdicts(s, right, 1);
  handles_close(&h);
  return calls;
}

static long sweep(const sample *s, uint32_t off, ask_fn *ask, long most)
{
  facts right = {0};
  const long calls = measure(s, off, ask, &right);
  const long stride = calls > most ? calls / most + 1 : 1;
  long faults = 0;
  for (long k = 1; k <= calls; k += stride)
    faults += one(s, off, ask, k, NULL, &right);
  assert_int_equal(one(s, off, ask, calls + 1, NULL, &right), 0);
  assert_true(faults >= calls / stride);
  return faults;
}

static const uint32_t switches[] = {0, BP_ENGINE_ALL, BP_ENGINE_CHAIN | BP_ENGINE_DELTA,
                                    BP_ENGINE_LIVE | BP_ENGINE_MODREF,
                                    BP_ENGINE_EARLY | BP_ENGINE_CONE};
enum { SWITCHES = sizeof switches / sizeof *switches };

static void test_run(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    print_message("%s: %ld\n", samples[i].name, sweep(&samples[i], 0, ask_run, DENSE));
}

static void test_run_switches(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    for (uint32_t k = 1; k < SWITCHES; k++)
      sweep(&samples[i], switches[k], ask_run, 2 * SPARSE);
}

static void test_all(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    for (uint32_t k = 0; k < 2; k++)
      sweep(&samples[i], switches[k], ask_all, SPARSE);
}

/* Faults one after the other while the calls are repeated. */
static void test_repeated(void **state)
{
  (void)state;
  for (uint32_t i = 0; i < sample_count; i++)
    for (uint32_t k = 0; k < 2; k++) {
      facts right = {0};
      const long calls = measure(&samples[i], switches[k], ask_all, &right);
      for (long every = 1; every < calls; every += every / 3 + 1) {
        fault f = {.every = every, .left = 30};
        const patience p = {.again = again, .user = &f};
        one(&samples[i], switches[k], ask_all, every, &p, &right);
        f.left = 0; /* a single one: the repeated call does it */
        one(&samples[i], switches[k], ask_all, every, &p, &right);
      }
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run),
      cmocka_unit_test(test_run_switches),
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_repeated),
  };
  sample_kernel = BP_KERNEL_BUDDY; /* whose table it is */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
