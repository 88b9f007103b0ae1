// Part of kgen: what NVRTC lacks of <stdlib.h>.
#pragma once

// malloc, free and abs are built into NVRTC.
