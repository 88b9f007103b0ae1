#pragma once

namespace kgen::emulator {

/// PTX's rounding modifiers for floating-point results: to nearest even, towards zero, towards minus
/// infinity, towards plus infinity, to nearest with ties away from zero. As integer rounding they are .rni
/// .rzi .rmi .rpi.
enum class Rounding { rn, rz, rm, rp, rna };

}  // namespace kgen::emulator
