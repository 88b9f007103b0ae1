#include "support/golden.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace kgen::test {

namespace fs = std::filesystem;

fs::path golden_path(const fs::path& name) {
  return fs::path(KGEN_SOURCE_DIR) / "tests" / "golden" / name;
}

std::string compare_golden(const fs::path& name, std::string_view text) {
  const fs::path path = golden_path(name);
  const char* update = std::getenv("KGEN_UPDATE_GOLDEN");
  if (update != nullptr && std::string_view(update) == "1") {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return "";
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return path.string() + " is missing; KGEN_UPDATE_GOLDEN=1 writes it";
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  if (expected == text) return "";
  return path.string() + " differs; KGEN_UPDATE_GOLDEN=1 rewrites it. Now:\n" + std::string(text);
}

}  // namespace kgen::test
