/* SPDX-License-Identifier: MIT */
#include <bp/status.h>

const char *bp_status_name(bp_status status)
{
  switch (status) {
  case BP_OK: return "BP_OK";
  case BP_END: return "BP_END";
  case BP_E_INVALID: return "BP_E_INVALID";
  case BP_E_STATE: return "BP_E_STATE";
  case BP_E_NOMEM: return "BP_E_NOMEM";
  case BP_E_IO: return "BP_E_IO";
  case BP_E_INPUT: return "BP_E_INPUT";
  case BP_E_BUSY: return "BP_E_BUSY";
  case BP_E_UNSUPPORTED: return "BP_E_UNSUPPORTED";
  case BP_E_USER: return "BP_E_USER";
  case BP_E_LIMIT: return "BP_E_LIMIT";
  case BP_E_POISONED: return "BP_E_POISONED";
  case BP_E_INTERNAL: return "BP_E_INTERNAL";
  }
  return "unknown status";
}

#define STRING(x) #x
#define JOIN(a, b, c) STRING(a) "." STRING(b) "." STRING(c)

uint32_t bp_version(void)
{
  return BP_VERSION_MAJOR << 16 | BP_VERSION_MINOR << 8 | BP_VERSION_PATCH;
}

const char *bp_version_string(void)
{
  return JOIN(BP_VERSION_MAJOR, BP_VERSION_MINOR, BP_VERSION_PATCH);
}

int bp_has_feature(uint32_t feature)
{
  return feature >= BP_FEATURE_REACHABILITY && feature <= BP_FEATURE_ANY_TRACE;
}
