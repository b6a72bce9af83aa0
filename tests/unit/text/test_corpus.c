/* SPDX-License-Identifier: MIT
 * Every .bp file below the directories in BP_CORPUS (separated by colons) is read and printed and
 * read again; files below a folder `foreign` and files named err_* are refused. Skipped without. */
#include "texts.h"

#include <dirent.h>
#include <sys/stat.h>

typedef struct walk {
  bp_context *ctx;
  unsigned read, refused;
} walk;

static buffer slurp(const char *path)
{
  buffer b = {0};
  char bytes[65536];
  size_t len;
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  buffer_add(&b, "", 0);
  while ((len = fread(bytes, 1, sizeof bytes, file)) > 0)
    buffer_add(&b, bytes, len);
  fclose(file);
  return b;
}

static void check_file(walk *w, const char *path)
{
  const int bad = strstr(path, "/foreign/") || strstr(path, "/err_");
  buffer text = slurp(path);
  bp_program_options options = {.size = sizeof options};
  /* Threaded files of Getafix begin in init. */
  if (!bad && !strstr(text.at, "main")) options.entry = "init";
  bp_program *p = parse(w->ctx, text.at, text.len, &options, bad ? BP_E_INPUT : BP_OK);
  if (bad) {
    bp_range place;
    bp_context_diagnostic_range(w->ctx, 0, &place);
    assert_true(place.line > 0);
    w->refused++;
  } else {
    check_round_trip(w->ctx, p, options.entry);
    w->read++;
  }
  bp_program_unref(p);
  buffer_free(&text);
}

static void check_directory(walk *w, const char *path)
{
  DIR *directory = opendir(path);
  if (!directory) return;
  for (struct dirent *e; (e = readdir(directory)) != NULL;) {
    char below[4096];
    struct stat info;
    const size_t len = strlen(e->d_name);
    if (e->d_name[0] == '.') continue;
    snprintf(below, sizeof below, "%s/%s", path, e->d_name);
    if (stat(below, &info)) continue;
    if (S_ISDIR(info.st_mode))
      check_directory(w, below);
    else if (len > 3 && !strcmp(e->d_name + len - 3, ".bp"))
      check_file(w, below);
  }
  closedir(directory);
}

static void test_corpus(void **state)
{
  (void)state;
  const char *places = getenv("BP_CORPUS");
  if (!places || !*places) skip();
  walk w = {0};
  assert_int_equal(bp_context_new(&w.ctx), BP_OK);
  while (*places) {
    char path[4096];
    const size_t len = strcspn(places, ":");
    snprintf(path, sizeof path, "%.*s", (int)len, places);
    check_directory(&w, path);
    places += len + (places[len] == ':');
  }
  printf("%u files read, %u refused\n", w.read, w.refused);
  bp_context_unref(w.ctx);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_corpus)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
