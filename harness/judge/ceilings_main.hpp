#pragma once

namespace kgen::judge {

/// Where the ceilings role finds the kernels: a file of its working folder; and the device's index: an
/// environment variable.
inline constexpr const char* kCeilingsCode = "ceilings.cubin";
inline constexpr const char* kCeilingsDevice = "KGEN_CEILINGS_DEVICE";

/// The ceilings role: times kgen's own kernels on the device and prints core::MeasuredRates as JSON. A
/// process of its own, so that neither a fault nor a hang there touches the judge. Exit code 5 where nothing
/// could be run; a rate that could not be had alone is 0.
int ceilings_main();

}  // namespace kgen::judge
