// Part of kgen: what NVRTC lacks of <limits.h>.
#pragma once

#include <kgen/basics.cuh>
