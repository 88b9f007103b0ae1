#pragma once

#include <cstdint>

#include "harness/emulator/mma_layout.hpp"

namespace kgen::emulator {

/// dense C += A * B, all row-major with the shape of `form`; k ascending, each product and each sum rounded
/// to double. The widest vectors of the host are used; they change no bit.
void multiply_exact(const MmaForm& form, const double* a, const double* b, double* c);

/// The same for integers that cannot overflow.
void multiply_exact(const MmaForm& form, const std::int32_t* a, const std::int32_t* b, std::int32_t* c);

}  // namespace kgen::emulator
