/* SPDX-License-Identifier: MIT
 * Goals by vertex. */
#include "cfg/analysis.h"

/* Where a goal at `vertex` or the next one behind it stands. */
static uint32_t find_goal(const bpi_analysis *a, uint32_t vertex)
{
  uint32_t low = 0, high = a->goal_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (a->goal_vertices[middle] < vertex)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t bpi_goal_at(const bpi_analysis *a, uint32_t vertex)
{
  const uint32_t i = find_goal(a, vertex);
  return i < a->goal_count && a->goal_vertices[i] == vertex ? i : BP_NONE;
}

bool bpi_goal_between(const bpi_analysis *a, uint32_t first, uint32_t end)
{
  const uint32_t i = find_goal(a, first);
  return i < a->goal_count && a->goal_vertices[i] < end;
}

/* A heap, so that there are no bad cases; equal vertices in the order of the goals. */
static bool after(const bpi_goal *goals, uint32_t a, uint32_t b)
{
  const uint32_t x = goals[a].vertex, y = goals[b].vertex;
  return x != y ? x > y : a > b;
}

static void sink(const bpi_goal *goals, uint32_t *heap, uint32_t i, uint32_t count)
{
  const uint32_t goal = heap[i];
  for (uint32_t child; (child = 2 * i + 1) < count; i = child) {
    if (child + 1 < count && after(goals, heap[child + 1], heap[child])) child++;
    if (!after(goals, heap[child], goal)) break;
    heap[i] = heap[child];
  }
  heap[i] = goal;
}

bp_status bpi_sort_goals(bpi_analysis *a)
{
  const uint32_t count = a->goal_count;
  uint32_t *heap = a->goals_sorted = bpi_alloc(count, sizeof *heap);
  a->goal_vertices = bpi_alloc(count, sizeof *a->goal_vertices);
  if (!heap || !a->goal_vertices) return BP_E_NOMEM;
  for (uint32_t g = 0; g < count; g++)
    heap[g] = g;
  for (uint32_t i = count / 2; i-- > 0;)
    sink(a->goals, heap, i, count);
  for (uint32_t end = count; end-- > 1;) {
    const uint32_t last = heap[0];
    heap[0] = heap[end];
    heap[end] = last;
    sink(a->goals, heap, 0, end);
  }
  for (uint32_t i = 0; i < count; i++)
    a->goal_vertices[i] = a->goals[heap[i]].vertex;
  return BP_OK;
}
