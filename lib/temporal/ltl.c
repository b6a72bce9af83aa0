/* SPDX-License-Identifier: MIT */
#include "temporal/ltl.h"
#include "base/hash.h"

bool bpi_ltl_init(bpi_ltl *l, bpi_job *job)
{
  *l = (bpi_ltl){.job = job};
  if (!bpi_vec_push(&l->chars, '\0')) return bpi_job_no_memory(job);
  return bpi_ltl_node(l, BP_FORMULA_FALSE, NULL, 0) == BPI_LTL_FALSE &&
         bpi_ltl_node(l, BP_FORMULA_TRUE, NULL, 0) == BPI_LTL_TRUE;
}

void bpi_ltl_free(bpi_ltl *l)
{
  bpi_vec_free(&l->nodes);
  bpi_vec_free(&l->args);
  bpi_vec_free(&l->atoms);
  bpi_vec_free(&l->chars);
  bpi_release(l->slots);
  bpi_release(l->atom_slots);
  l->slots = l->atom_slots = NULL;
}

/* ---- sorted ids --------------------------------------------------------- */

static void sift(uint32_t *ids, uint32_t at, uint32_t count)
{
  for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
    if (child + 1 < count && ids[child + 1] > ids[child]) child++;
    if (ids[at] >= ids[child]) return;
    const uint32_t id = ids[at];
    ids[at] = ids[child];
    ids[child] = id;
  }
}

/* Heapsort: any order comes in, and many operands may. */
void bpi_ids_sort(bpi_ids *ids)
{
  for (uint32_t i = ids->count / 2; i-- > 0;)
    sift(ids->at, i, ids->count);
  for (uint32_t i = ids->count; i-- > 1;) {
    const uint32_t id = ids->at[0];
    ids->at[0] = ids->at[i];
    ids->at[i] = id;
    sift(ids->at, 0, i);
  }
}

void bpi_ids_sort_unique(bpi_ids *ids)
{
  uint32_t kept = 0;
  bpi_ids_sort(ids);
  for (uint32_t i = 0; i < ids->count; i++)
    if (!kept || ids->at[kept - 1] != ids->at[i]) ids->at[kept++] = ids->at[i];
  ids->count = kept;
}

/* ---- hash tables of ids ------------------------------------------------ */

static uint64_t hash_node(uint8_t op, const uint32_t *args, uint32_t count)
{
  uint64_t hash = bpi_hash_u64(BPI_HASH_START, op);
  for (uint32_t i = 0; i < count; i++)
    hash = bpi_hash_u64(hash, args[i]);
  return hash;
}

static uint64_t hash_of(const bpi_ltl *l, uint32_t id)
{
  const bpi_node *n = &l->nodes.at[id];
  if (n->op == BP_FORMULA_ATOM) return hash_node(n->op, &n->first, 1);
  return hash_node(n->op, n->count ? l->args.at + n->first : NULL, n->count);
}

static uint64_t hash_text(uint64_t hash, const char *text, size_t len)
{
  return bpi_hash_u64(bpi_hash_bytes(hash, text, len), len);
}

static uint64_t hash_atom(uint8_t kind, const char *proc, size_t proc_len, const char *text,
                          size_t text_len)
{
  const uint64_t hash = hash_text(bpi_hash_u64(BPI_HASH_START, kind), proc, proc_len);
  return hash_text(hash, text, text_len);
}

static uint64_t hash_of_atom(const bpi_ltl *l, uint32_t id)
{
  const bpi_atom *a = &l->atoms.at[id];
  const char *proc = l->chars.at + a->proc, *text = l->chars.at + a->text;
  return hash_atom(a->kind, proc, strlen(proc), text, strlen(text));
}

/* Doubles a table that is two thirds full. */
static bool make_room(bpi_ltl *l, uint32_t **slots, uint32_t *size, uint32_t used,
                      uint64_t (*hash)(const bpi_ltl *, uint32_t))
{
  if ((uint64_t)used * 3 < (uint64_t)*size * 2) return true;
  const uint32_t grown = *size ? 2 * *size : 64;
  uint32_t *fresh = grown > *size ? bpi_alloc(grown, sizeof *fresh) : NULL;
  if (!fresh) return bpi_job_no_memory(l->job);
  memset(fresh, 0xff, (size_t)grown * sizeof *fresh);
  for (uint32_t id = 0; id < used; id++) {
    uint32_t at = (uint32_t)hash(l, id) & (grown - 1);
    while (fresh[at] != BP_NONE)
      at = (at + 1) & (grown - 1);
    fresh[at] = id;
  }
  bpi_release(*slots);
  *slots = fresh;
  *size = grown;
  return true;
}

/* ---- nodes ------------------------------------------------------------- */

static bool is_node(const bpi_ltl *l, uint32_t id, bp_formula_op op, const uint32_t *args,
                    uint32_t count)
{
  const bpi_node *n = &l->nodes.at[id];
  if (n->op != op || n->count != count) return false;
  if (op == BP_FORMULA_ATOM) return n->first == args[0];
  return !count || !memcmp(l->args.at + n->first, args, count * sizeof *args);
}

static bool add_args(bpi_ltl *l, const uint32_t *args, uint32_t count)
{
  if (!count) return true;
  const bool inside = l->args.at && args >= l->args.at && args < l->args.at + l->args.count;
  const size_t offset = inside ? (size_t)(args - l->args.at) : 0;
  if (!bpi_vec_reserve(&l->args, count)) return bpi_job_no_memory(l->job);
  memcpy(l->args.at + l->args.count, inside ? l->args.at + offset : args, count * sizeof *args);
  l->args.count += count;
  return true;
}

static uint32_t intern(bpi_ltl *l, bp_formula_op op, const uint32_t *args, uint32_t count)
{
  if (!make_room(l, &l->slots, &l->slot_count, l->nodes.count, hash_of)) return BP_NONE;
  uint32_t at = (uint32_t)hash_node((uint8_t)op, args, count) & (l->slot_count - 1);
  for (; l->slots[at] != BP_NONE; at = (at + 1) & (l->slot_count - 1))
    if (is_node(l, l->slots[at], op, args, count)) return l->slots[at];
  bpi_node node = {.op = (uint8_t)op, .first = l->args.count, .count = count};
  if (op == BP_FORMULA_ATOM)
    node.first = args[0];
  else if (!add_args(l, args, count))
    return BP_NONE;
  if (!bpi_vec_push(&l->nodes, node)) {
    bpi_job_no_memory(l->job);
    return BP_NONE;
  }
  return l->slots[at] = l->nodes.count - 1;
}

uint32_t bpi_ltl_node(bpi_ltl *l, bp_formula_op op, const uint32_t *args, uint32_t count)
{
  if (!bpi_job_going(l->job)) return BP_NONE;
  for (uint32_t i = 0; i < count; i++)
    if (args[i] == BP_NONE) return BP_NONE;
  return intern(l, op, args, count);
}

uint32_t bpi_ltl_unary(bpi_ltl *l, bp_formula_op op, uint32_t a)
{
  return bpi_ltl_node(l, op, &a, 1);
}

uint32_t bpi_ltl_binary(bpi_ltl *l, bp_formula_op op, uint32_t a, uint32_t b)
{
  const uint32_t args[2] = {a, b};
  return bpi_ltl_node(l, op, args, 2);
}

uint32_t bpi_ltl_chain(bpi_ltl *l, bp_formula_op op, const bpi_ids *nodes)
{
  if (!nodes->count) return op == BP_FORMULA_AND ? BPI_LTL_TRUE : BPI_LTL_FALSE;
  return nodes->count == 1 ? nodes->at[0] : bpi_ltl_node(l, op, nodes->at, nodes->count);
}

uint32_t bpi_ltl_recurrent(const bpi_ltl *l, uint32_t node)
{
  if (bpi_ltl_op(l, node) != BP_FORMULA_ALWAYS) return BP_NONE;
  const uint32_t below = bpi_ltl_arg(l, node, 0);
  return bpi_ltl_op(l, below) == BP_FORMULA_EVENTUALLY ? bpi_ltl_arg(l, below, 0) : BP_NONE;
}

/* ---- atoms ------------------------------------------------------------- */

static bool is_text(const bpi_ltl *l, uint32_t offset, const char *text, size_t len)
{
  const char *at = l->chars.at + offset;
  return strlen(at) == len && (!len || !memcmp(at, text, len));
}

static uint32_t keep(bpi_ltl *l, const char *text, size_t len)
{
  if (!len) return 0;
  if (len >= UINT32_MAX || !bpi_vec_reserve(&l->chars, (uint32_t)len + 1)) {
    bpi_job_no_memory(l->job);
    return BP_NONE;
  }
  const uint32_t at = l->chars.count;
  memcpy(l->chars.at + at, text, len);
  l->chars.at[at + len] = '\0';
  l->chars.count += (uint32_t)len + 1;
  return at;
}

static uint32_t intern_atom(bpi_ltl *l, const bpi_atom *key, const char *proc, size_t proc_len,
                            const char *text, size_t text_len)
{
  if (!make_room(l, &l->atom_slots, &l->atom_slot_count, l->atoms.count, hash_of_atom))
    return BP_NONE;
  const uint32_t mask = l->atom_slot_count - 1;
  uint32_t at = (uint32_t)hash_atom(key->kind, proc, proc_len, text, text_len) & mask;
  for (; l->atom_slots[at] != BP_NONE; at = (at + 1) & mask) {
    const bpi_atom *a = &l->atoms.at[l->atom_slots[at]];
    if (a->kind == key->kind && is_text(l, a->proc, proc, proc_len) &&
        is_text(l, a->text, text, text_len))
      return l->atom_slots[at];
  }
  bpi_atom atom = *key;
  if ((atom.proc = keep(l, proc, proc_len)) == BP_NONE ||
      (atom.text = keep(l, text, text_len)) == BP_NONE)
    return BP_NONE;
  if (!bpi_vec_push(&l->atoms, atom)) {
    bpi_job_no_memory(l->job);
    return BP_NONE;
  }
  return l->atom_slots[at] = l->atoms.count - 1;
}

uint32_t bpi_ltl_atom(bpi_ltl *l, bp_atom_kind kind, const char *proc, size_t proc_len,
                      const char *text, size_t text_len, const bp_range *range)
{
  bpi_atom key = {.kind = (uint8_t)kind};
  if (range) key.range = *range;
  const uint32_t atom = intern_atom(l, &key, proc, proc_len, text, text_len);
  return bpi_ltl_node(l, BP_FORMULA_ATOM, &atom, 1);
}

/* ---- copies ------------------------------------------------------------ */

uint8_t *bpi_ltl_below(const bpi_ltl *l, uint32_t root)
{
  uint8_t *marks = bpi_zalloc(l->nodes.count, 1);
  if (!marks) return NULL;
  marks[root] = 1;
  for (uint32_t id = root + 1; id-- > 0;) {
    if (!marks[id] || bpi_ltl_op(l, id) == BP_FORMULA_ATOM) continue;
    for (uint32_t i = 0; i < bpi_ltl_count(l, id); i++)
      marks[bpi_ltl_arg(l, id, i)] = 1;
  }
  return marks;
}

static uint32_t copy_node(bpi_ltl *to, const bpi_ltl *from, uint32_t id, const uint32_t *map,
                          bpi_ids *args)
{
  const bpi_node *n = &from->nodes.at[id];
  if (n->op == BP_FORMULA_ATOM) {
    const bpi_atom *a = &from->atoms.at[n->first];
    const char *proc = from->chars.at + a->proc, *text = from->chars.at + a->text;
    return bpi_ltl_atom(to, (bp_atom_kind)a->kind, proc, strlen(proc), text, strlen(text),
                        &a->range);
  }
  args->count = 0;
  for (uint32_t i = 0; i < n->count; i++)
    if (!bpi_vec_push(args, map[bpi_ltl_arg(from, id, i)])) {
      bpi_job_no_memory(to->job);
      return BP_NONE;
    }
  return bpi_ltl_node(to, (bp_formula_op)n->op, args->at, args->count);
}

uint32_t bpi_ltl_copy(bpi_ltl *to, const bpi_ltl *from, uint32_t root)
{
  uint32_t copied = BP_NONE;
  bpi_ids args = {0};
  uint8_t *marks = bpi_ltl_below(from, root);
  uint32_t *map = marks ? bpi_alloc(root + (size_t)1, sizeof *map) : NULL;
  if (!map) bpi_job_no_memory(to->job);
  for (uint32_t id = 0; map && id <= root; id++)
    if (marks[id]) copied = map[id] = copy_node(to, from, id, map, &args);
  bpi_vec_free(&args);
  bpi_release(map);
  bpi_release(marks);
  return to->job->status == BP_OK ? copied : BP_NONE;
}

/* Only what is looked at stays, without the constants that are not used. */
static bool compact(bpi_ltl *to, const bpi_ltl *from, uint32_t root, bpi_job *job)
{
  *to = (bpi_ltl){.job = job};
  if (!bpi_vec_push(&to->chars, '\0')) return bpi_job_no_memory(job);
  if (bpi_ltl_copy(to, from, root) == BP_NONE) return false;
  bpi_release(to->slots);
  bpi_release(to->atom_slots);
  to->slots = to->atom_slots = NULL;
  to->job = NULL;
  bpi_vec_trim(&to->nodes);
  bpi_vec_trim(&to->args);
  bpi_vec_trim(&to->atoms);
  bpi_vec_trim(&to->chars);
  return true;
}

/* An operator between n operands is written n - 1 times. */
static bool measure(bp_formula *f, bpi_job *job)
{
  const bpi_ltl *l = &f->ltl;
  uint64_t *sizes = bpi_alloc(l->nodes.count, sizeof *sizes);
  if (!sizes) return bpi_job_no_memory(job);
  for (uint32_t id = 0; id < l->nodes.count; id++) {
    const uint32_t count = bp_formula_operand_count(f, id);
    uint64_t size = count > 1 ? count - 1 : 1;
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t below = sizes[bpi_ltl_arg(l, id, i)];
      size = size > UINT64_MAX - below ? UINT64_MAX : size + below;
    }
    sizes[id] = size;
  }
  f->size = sizes[f->root];
  bpi_release(sizes);
  return true;
}

static bool classify(bp_formula *f, bpi_job *job)
{
  uint8_t *classes = bpi_ltl_classes(&f->ltl);
  if (!classes) return bpi_job_no_memory(job);
  f->classes = classes[f->root];
  bpi_release(classes);
  return true;
}

bool bpi_ltl_finish(bpi_ltl *l, uint32_t root, const char *name, bp_formula **out)
{
  if (root == BP_NONE || l->job->status != BP_OK) return false;
  bp_formula *f = bpi_zalloc(1, sizeof *f);
  if (!f) return bpi_job_no_memory(l->job);
  atomic_init(&f->refs, 1);
  f->name = bpi_strndup(name ? name : "", name ? strlen(name) : 0);
  if (!f->name) bpi_job_no_memory(l->job);
  if (f->name && compact(&f->ltl, l, root, l->job)) {
    f->root = f->ltl.nodes.count - 1;
    if (measure(f, l->job) && classify(f, l->job)) {
      *out = f;
      return true;
    }
  }
  bp_formula_unref(f);
  return false;
}
