// Part of kgen: what NVRTC lacks of <float.h>.
#pragma once

#include <kgen/basics.cuh>
