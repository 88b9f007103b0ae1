// Part of kgen: what NVRTC lacks of <stdint.h>.
#pragma once

#include <kgen/basics.cuh>
