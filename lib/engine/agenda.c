/* SPDX-License-Identifier: MIT
 * The agenda of a search: a binary heap of events, the first one on top. */
#include "engine/search.h"

static bool sooner(const bpi_event *a, const bpi_event *b)
{
  if (a->rank != b->rank) return a->rank < b->rank;
  if (a->inner != b->inner) return a->inner > b->inner;
  if (a->returns != b->returns) return a->returns < b->returns;
  return a->vertex < b->vertex;
}

bool bpi_agenda_add(bpi_agenda *agenda, const bpi_event *event)
{
  if (!bpi_vec_reserve(agenda, 1)) return false;
  bpi_agenda_put_back(agenda, event);
  return true;
}

bpi_event bpi_agenda_take(bpi_agenda *agenda)
{
  const bpi_event first = agenda->at[0];
  const bpi_event last = agenda->at[--agenda->count];
  uint32_t i = 0;
  for (uint32_t child; (child = 2 * i + 1) < agenda->count; i = child) {
    if (child + 1 < agenda->count && sooner(&agenda->at[child + 1], &agenda->at[child])) child++;
    if (!sooner(&agenda->at[child], &last)) break;
    agenda->at[i] = agenda->at[child];
  }
  if (agenda->count) agenda->at[i] = last;
  return first;
}

void bpi_agenda_put_back(bpi_agenda *agenda, const bpi_event *event)
{
  uint32_t i = agenda->count++;
  for (; i && sooner(event, &agenda->at[(i - 1) / 2]); i = (i - 1) / 2)
    agenda->at[i] = agenda->at[(i - 1) / 2];
  agenda->at[i] = *event;
}
