// Part of kgen: what NVRTC lacks of <string.h>.
#pragma once

// memcpy, memset and memcmp are built into NVRTC.
