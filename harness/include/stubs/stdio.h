// Part of kgen: what NVRTC lacks of <stdio.h>.
#pragma once

// printf is built into NVRTC.
