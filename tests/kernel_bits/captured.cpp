#include "kernel_bits/captured.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "harness/judge/shared/dtype_bits.hpp"
#include "util/base64.hpp"

namespace kgen::kernel_bits {
namespace {

constexpr const char* kHeader = "# Captured on ";
constexpr const char* kPending = "# not captured yet: ";
constexpr std::size_t kMostKept = 192;

struct Element {
  judge::U64 bits = 0;
  double value = 0;
};

Element element_at(const std::string& bytes, core::DType dtype, std::size_t index) {
  const int code = static_cast<int>(dtype);
  const judge::U64 bits =
      judge::load_element(bytes.data(), judge::bytes_of_code(code), static_cast<judge::I64>(index));
  return {bits, judge::decode(code, bits)};
}

void add_element(Difference& difference, const Element& a, const Element& b, double allowed) {
  ++difference.elements;
  if (a.bits == b.bits || (std::isnan(a.value) && std::isnan(b.value))) return;
  ++difference.differing;
  const double error = std::abs(a.value - b.value);
  const bool measurable = allowed > 0 && std::isfinite(error);
  difference.share =
      std::max(difference.share, measurable ? error / allowed : std::numeric_limits<double>::infinity());
}

}  // namespace

std::filesystem::path committed_file() {
  const char* folder = std::getenv("KGEN_SOURCE_DIR");
  return std::filesystem::path(folder ? folder : KGEN_SOURCE_DIR) / "tests/kernel_bits/expected.txt";
}

std::string to_text(const CapturedFile& file) {
  std::ostringstream text;
  text.precision(17);
  text << kHeader << file.device << "\n";
  for (const auto& [name, captured] : file.outputs)
    text << name << '\t' << std::hex << captured.inputs_hash << std::dec << '\t' << captured.share << '\t'
         << util::base64(captured.bytes) << '\n';
  return text.str();
}

Result<CapturedFile> parse_captured(const std::string& text) {
  CapturedFile file;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    if (number == 1 && line.starts_with(kHeader)) {
      file.device = line.substr(std::string_view(kHeader).size());
      continue;
    }
    if (line.starts_with(kPending)) {
      file.pending.insert(line.substr(std::string_view(kPending).size()));
      continue;
    }
    std::istringstream fields(line);
    std::string name, hash, share, bytes;
    const bool complete = std::getline(fields, name, '\t') && std::getline(fields, hash, '\t') &&
                          std::getline(fields, share, '\t') && std::getline(fields, bytes, '\t');
    if (!complete)
      return fail(ErrorKind::bad_input, "captured bits: line " + std::to_string(number) + " is not complete");
    file.outputs[name] = {std::stoull(hash, nullptr, 16), std::stod(share), util::from_base64(bytes)};
  }
  return file;
}

std::vector<std::size_t> kept_elements(std::size_t elements) {
  const std::size_t count = std::min(elements, kMostKept);
  std::vector<std::size_t> kept(count);
  for (std::size_t i = 0; i < count; ++i) kept[i] = i * elements / count;
  return kept;
}

std::string kept_bytes(const Output& output) {
  const std::size_t width = core::size_of(output.dtype);
  std::string bytes;
  for (const std::size_t index : kept_elements(output.allowed.size()))
    bytes += output.bytes.substr(index * width, width);
  return bytes;
}

Difference compare_all(const Output& a, const Output& b) {
  Difference difference;
  for (std::size_t i = 0; i < b.allowed.size(); ++i)
    add_element(difference, element_at(a.bytes, a.dtype, i), element_at(b.bytes, b.dtype, i), b.allowed[i]);
  return difference;
}

Difference compare_kept(const std::string& captured, const Output& here) {
  Difference difference;
  const std::vector<std::size_t> kept = kept_elements(here.allowed.size());
  if (captured.size() != kept.size() * core::size_of(here.dtype)) {
    difference.share = std::numeric_limits<double>::infinity();
    return difference;
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    add_element(difference, element_at(captured, here.dtype, i), element_at(here.bytes, here.dtype, kept[i]),
                here.allowed[kept[i]]);
  return difference;
}

}  // namespace kgen::kernel_bits
