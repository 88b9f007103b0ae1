// Part of kgen: what NVRTC lacks of <assert.h>.
#pragma once

#ifndef assert
#define assert(condition) \
  ((condition) ? static_cast<void>(0) : __assertfail(#condition, __FILE__, __LINE__, __func__, sizeof(char)))
extern "C" __device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                                        size_t char_size);
#endif
