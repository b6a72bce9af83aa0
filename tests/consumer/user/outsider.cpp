// SPDX-License-Identifier: MIT
// An outsider in C++: handles in unique_ptr, a program from the builder, origins in the trace.
#include <bp/bp.h>
#include <iostream>
#include <memory>
#include <string>

template <typename T, void (*give_back)(T *)> struct deleter {
  void operator()(T *handle) const
  {
    give_back(handle);
  }
};
template <typename T, void (*give_back)(T *)>
using owner = std::unique_ptr<T, deleter<T, give_back>>;

using context = owner<bp_context, bp_context_unref>;
using program = owner<bp_program, bp_program_unref>;
using builder = owner<bp_builder, bp_builder_free>;
using trace = owner<bp_trace, bp_trace_unref>;
using cursor = owner<bp_cursor, bp_cursor_free>;

static int append(void *user, const char *bytes, size_t len)
{
  static_cast<std::string *>(user)->append(bytes, len);
  return 0;
}

static program build(bp_context *ctx)
{
  bp_builder *b = nullptr;
  bp_program *made = nullptr;
  if (bp_builder_new(&b, ctx, "built", nullptr) != BP_OK) return program();
  builder keep(b);
  const uint32_t x = bp_builder_global(b, "x", bp_builder_const(b, 0));
  bp_builder_proc_begin(b, "main", 0);
  bp_builder_origin(b, 7001);
  const uint32_t flipped = bp_builder_not(b, bp_builder_var(b, x));
  bp_builder_assign(b, &x, &flipped, 1, BP_NONE);
  bp_builder_origin(b, UINT64_MAX);
  bp_builder_label(b, "R");
  bp_builder_assume(b, bp_builder_var(b, x));
  bp_builder_proc_end(b);
  if (bp_builder_finish(b, &made) != BP_OK) return program();
  return program(made);
}

int main()
{
  bp_context *c = nullptr;
  if (bp_context_new(&c) != BP_OK) return 2;
  context ctx(c);
  program built = build(ctx.get());
  if (!built) return 2;

  std::string text;
  const bp_sink sink = {sizeof sink, append, &text};
  if (bp_program_write(built.get(), &sink) != BP_OK) return 2;
  std::cout << text;

  bp_verdict verdict = BP_UNDECIDED;
  bp_trace *t = nullptr;
  if (bp_reachable(&verdict, &t, ctx.get(), nullptr, built.get(), "R", nullptr) != BP_OK) return 2;
  trace way(t);
  std::cout << "R " << bp_verdict_name(verdict) << '\n';

  bp_cursor *at = nullptr;
  if (bp_cursor_new(&at, way.get()) != BP_OK) return 2;
  cursor walk(at);
  while (bp_cursor_next(walk.get()) == BP_OK)
    std::cout << "origin " << bp_cursor_origin(walk.get()) << '\n';
  return 0;
}
