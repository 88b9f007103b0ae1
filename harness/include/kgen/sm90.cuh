// kgen's device library for Hopper (sm_90a): wgmma, TMA, mbarriers, clusters. All in namespace kgen::sm90.
#pragma once

#include <kgen/prelude.cuh>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#error "kgen/sm90.cuh needs an architecture of compute capability 9.0"
#endif

#include <kgen/sm90/mbarrier.cuh>
#include <kgen/sm90/registers.cuh>
#include <kgen/sm90/tma.cuh>
#include <kgen/sm90/wgmma.cuh>
