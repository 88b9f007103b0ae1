#include "harness/include/device_headers.hpp"

#include <fstream>
#include <span>
#include <string_view>

#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> device_headers();
}

namespace kgen::compile {
namespace {

/// "stubs/cstdint" is included as <cstdint>, "kgen/prelude.cuh" as itself.
std::string include_name(std::string_view embedded_name) {
  constexpr std::string_view kStubs = "stubs/";
  if (embedded_name.starts_with(kStubs)) embedded_name.remove_prefix(kStubs.size());
  return std::string(embedded_name);
}

}  // namespace

Status write_device_headers(const std::filesystem::path& folder) {
  for (const util::EmbeddedFile& file : embedded::device_headers()) {
    const std::filesystem::path path = folder / include_name(file.name);
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::ofstream out(path, std::ios::binary);
    out << file.text;
    if (!out.flush()) {
      return fail(ErrorKind::missing, "cannot write " + path.string(), "free some space there or set TMPDIR");
    }
  }
  return {};
}

std::set<std::string> device_header_names() {
  std::set<std::string> names;
  for (const util::EmbeddedFile& file : embedded::device_headers()) names.insert(include_name(file.name));
  return names;
}

}  // namespace kgen::compile
