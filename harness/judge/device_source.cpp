#include "harness/judge/device_source.hpp"

#include <span>
#include <stdexcept>

#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> judge();
}

namespace kgen::judge {
namespace {

std::string_view embedded_text(std::string_view name) {
  for (const auto& file : embedded::judge()) {
    if (file.name == name) return file.text;
  }
  throw std::logic_error("embedded file " + std::string(name) + " is missing");
}

/// `text` without preprocessor lines that speak of files: the parts come one after the other in one text.
void append_without_includes(std::string& out, std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    if (!line.starts_with("#include") && !line.starts_with("#pragma once")) out += line;
    text.remove_prefix(end);
  }
}

}  // namespace

std::string device_source() {
  std::string out;
  for (const char* name :
       {"shared/portable.hpp", "shared/dtype_bits.hpp", "shared/random.hpp", "shared/fill_params.hpp",
        "shared/row_values.hpp", "shared/generate.hpp", "shared/tolerance.hpp", "kernels/judge.cu"}) {
    append_without_includes(out, embedded_text(name));
  }
  return out;
}

std::string_view torch_server_source() {
  return embedded_text("torch_server.py");
}

std::string_view oracle_server_source() {
  return embedded_text("oracle_server.py");
}

std::string_view torch_agreement_source() {
  return embedded_text("torch_agreement.py");
}

std::vector<util::EmbeddedFile> module_library() {
  std::vector<util::EmbeddedFile> files;
  for (const auto& file : embedded::judge())
    if (file.name.starts_with("kgen_")) files.push_back(file);
  return files;
}

}  // namespace kgen::judge
