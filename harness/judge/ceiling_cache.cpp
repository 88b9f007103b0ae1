#include "harness/judge/ceiling_cache.hpp"

#include <cmath>
#include <cstdlib>

#include "util/file.hpp"
#include "util/home_folder.hpp"
#include "util/json.hpp"

namespace kgen::judge {
namespace {

using nlohmann::json;
constexpr std::size_t kMostCacheBytes = std::size_t{64} << 10;

/// What must be the same for a rate to hold.
json key_of(const core::DeviceFacts& device) {
  return {{"version", kCeilingsVersion},
          {"device", device.name},
          {"num_sms", device.num_sms},
          {"memory_bytes", device.memory_bytes},
          {"driver", device.driver_version},
          {"cuda", device.cuda_version},
          {"max_sm_clock_mhz", device.max_sm_clock_mhz}};
}

bool is_rate(const json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
}

}  // namespace

std::filesystem::path user_cache_folder() {
  const char* const named = std::getenv("XDG_CACHE_HOME");
  if (named != nullptr && *named == '/') return std::filesystem::path(named) / "kgen";
  const std::string home = util::home_folder();
  return home.empty() ? std::filesystem::path() : std::filesystem::path(home) / ".cache/kgen";
}

std::filesystem::path ceilings_file(const std::filesystem::path& folder, const core::DeviceFacts& device) {
  return folder / ("ceilings-" + util::content_hash(key_of(device).dump()) + ".json");
}

std::optional<core::MeasuredRates> read_ceilings(const std::filesystem::path& file,
                                                 const core::DeviceFacts& device) {
  const auto text = util::read_file(file, kMostCacheBytes);
  if (!text) return std::nullopt;
  const json read = json::parse(*text, nullptr, false);
  if (!read.is_object() || !read.contains("key") || !read.contains("rates") || read["key"] != key_of(device))
    return std::nullopt;
  const json& rates = read["rates"];
  if (!rates.is_object()) return std::nullopt;
  for (const auto& [name, value] : rates.items()) {
    if (!is_rate(value)) return std::nullopt;
  }
  return core::measured_rates_from_json(rates);
}

Status write_ceilings(const std::filesystem::path& file, const core::DeviceFacts& device,
                      const core::MeasuredRates& rates) {
  const json whole{{"key", key_of(device)}, {"rates", core::to_json(rates)}};
  return util::write_file_atomic(file, whole.dump(1) + "\n");
}

}  // namespace kgen::judge
