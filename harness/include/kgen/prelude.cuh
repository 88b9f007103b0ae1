// What every candidate compiles after: what NVRTC lacks of the C and C++ headers that kernels lean on, the 16-bit
// floating-point types, CUtensorMap, and the probe that tells kgen the types of a kernel's parameters.
#pragma once

#include <kgen/basics.cuh>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <kgen/signature_probe.cuh>
