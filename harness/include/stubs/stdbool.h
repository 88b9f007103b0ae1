// Part of kgen: what NVRTC lacks of <stdbool.h>.
#pragma once

// bool, true and false are part of C++.
