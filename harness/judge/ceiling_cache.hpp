#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/device_facts.hpp"
#include "util/error.hpp"

namespace kgen::judge {

/// Raised whenever kernels/ceilings.cu or how it is timed changes what is measured.
inline constexpr int kCeilingsVersion = 2;

/// $XDG_CACHE_HOME/kgen, else ~/.cache/kgen; empty where neither is set.
std::filesystem::path user_cache_folder();

/// The file of a device (its name, multiprocessors, memory) under a driver, below a cache folder.
std::filesystem::path ceilings_file(const std::filesystem::path& folder, const core::DeviceFacts& device);

/// What was measured of this device under this driver; nothing where the file is not there, is not readable,
/// or speaks of another device, driver or version of the measurement.
std::optional<core::MeasuredRates> read_ceilings(const std::filesystem::path& file,
                                                 const core::DeviceFacts& device);

/// Writes it whole. Errors: missing (no space, no permission).
Status write_ceilings(const std::filesystem::path& file, const core::DeviceFacts& device,
                      const core::MeasuredRates& rates);

}  // namespace kgen::judge
