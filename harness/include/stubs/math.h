// Part of kgen: what NVRTC lacks of <math.h>.
#pragma once

// The functions are built into NVRTC.
#include <kgen/basics.cuh>
