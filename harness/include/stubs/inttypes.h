// Part of kgen: what NVRTC lacks of <inttypes.h>.
#pragma once

#include <kgen/basics.cuh>
