// Part of kgen: what NVRTC lacks of <cudaTypedefs.h>.
#pragma once

#include <cuda.h>
