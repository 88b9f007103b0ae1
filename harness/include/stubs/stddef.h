// Part of kgen: what NVRTC lacks of <stddef.h>.
#pragma once

#include <cuda/std/cstddef>
