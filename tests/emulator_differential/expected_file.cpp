#include "emulator_differential/expected_file.hpp"

#include <cstring>
#include <sstream>
#include <stdexcept>

#include "util/base64.hpp"

namespace kgen::differential {
namespace {

constexpr const char* kHeader = "# Captured on ";

std::string bytes_as_text(const std::vector<std::byte>& bytes) {
  std::string text(bytes.size(), '\0');
  std::memcpy(text.data(), bytes.data(), bytes.size());
  return util::base64(text);
}
std::vector<std::byte> text_as_bytes(const std::string& text) {
  const std::string raw = util::from_base64(text);
  std::vector<std::byte> bytes(raw.size());
  std::memcpy(bytes.data(), raw.data(), raw.size());
  return bytes;
}

}  // namespace

std::filesystem::path committed_file(const std::string& theme) {
  return std::filesystem::path(KGEN_SOURCE_DIR) / "tests/emulator_differential/expected" / (theme + ".txt");
}

std::string to_text(const ExpectedFile& file) {
  std::ostringstream text;
  text << kHeader << file.device << "\n";
  for (const auto& [name, expected] : file.forms) {
    text << name << '\t' << std::hex << expected.inputs_hash << '\t' << expected.exhaustive_hash << '\t'
         << bytes_as_text(expected.outputs) << '\n';
  }
  return text.str();
}

ExpectedFile parse_expected(const std::string& text) {
  ExpectedFile file;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1 && line.starts_with(kHeader)) {
      file.device = line.substr(std::strlen(kHeader));
      continue;
    }
    std::istringstream fields(line);
    std::string name, inputs, exhaustive, outputs;
    const bool complete = std::getline(fields, name, '\t') && std::getline(fields, inputs, '\t') &&
                          std::getline(fields, exhaustive, '\t') && std::getline(fields, outputs, '\t');
    if (!complete)
      throw std::runtime_error("expected bits: line " + std::to_string(number) + " is not complete");
    file.forms[name] = {std::stoull(inputs, nullptr, 16), std::stoull(exhaustive, nullptr, 16),
                        text_as_bytes(outputs)};
  }
  return file;
}

}  // namespace kgen::differential
