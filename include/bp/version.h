/* SPDX-License-Identifier: MIT
 *
 * Version of the library, at compile time and at run time, and what this
 * build can do. */
#ifndef BP_VERSION_H
#define BP_VERSION_H

#include <stdint.h>

#define BP_VERSION_MAJOR 0
#define BP_VERSION_MINOR 1
#define BP_VERSION_PATCH 0

/** True when the headers are of version a.b.c or later. */
#define BP_VERSION_ATLEAST(a, b, c)                                                                \
  (BP_VERSION_MAJOR > (a) || (BP_VERSION_MAJOR == (a) && BP_VERSION_MINOR > (b)) ||                \
   (BP_VERSION_MAJOR == (a) && BP_VERSION_MINOR == (b) && BP_VERSION_PATCH >= (c)))

/** Marks every symbol that libbp exports. */
#if defined(__GNUC__)
#define BP_API __attribute__((visibility("default")))
#else
#define BP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library at run time, packed: major << 16 | minor << 8 | patch. */
BP_API uint32_t bp_version(void);

/** The version of the library at run time as "major.minor.patch". Static storage. */
BP_API const char *bp_version_string(void);

/** What a build may or may not be able to do. Numbers never change their meaning. */
typedef enum bp_feature {
  BP_FEATURE_REACHABILITY = 1,      /**< label, line, vertex and assertion targets */
  BP_FEATURE_SHORTEST_EXPANDED = 2, /**< traces of minimal fully expanded length */
  BP_FEATURE_KERNEL_BUDDY = 3,      /**< managers on BuDDy, one at a time in a process */
  BP_FEATURE_KERNEL_NATIVE = 4,     /**< managers on libbp's own BDD kernel, any number */
  BP_FEATURE_ANY_TRACE = 5          /**< traces that need not be shortest ones, found sooner */
} bp_feature;

/** 1 when this build has the feature, 0 when it has not or the number is unknown. */
BP_API int bp_has_feature(uint32_t feature);

#ifdef __cplusplus
}
#endif
#endif
