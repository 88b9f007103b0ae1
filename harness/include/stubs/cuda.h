// Part of kgen: the types of the driver's API that device code names. The API itself is the host's.
#pragma once

#include <cuda/std/cstdint>

typedef ::uint32_t cuuint32_t;
typedef ::uint64_t cuuint64_t;

typedef struct CUtensorMap_st {
  alignas(64) cuuint64_t opaque[16];
} CUtensorMap;
