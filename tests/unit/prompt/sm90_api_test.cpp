#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "support/golden.hpp"
#include "util/file.hpp"

namespace kgen::prompt {
namespace {

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

bool begins_declaration(std::string_view line) {
  for (const std::string_view word : {"template <", "__device__ ", "constexpr ", "enum class ", "struct "})
    if (line.starts_with(word)) return true;
  return false;
}

/// "template <int R> void pin(float (&d)[R]);": a declaration from its first line up to its body.
std::string signature(std::string text) {
  if (!text.starts_with("enum class ") && !text.starts_with("struct ") && text.find('(') != std::string::npos)
    text = text.substr(0, text.find(" {")) + ";";
  text = without(without(text, "__device__ __forceinline__ "), "__host__ __device__ ");
  std::string out;
  for (const char c : text) {
    if (c == '\n') out += ' ';
    if (c != '\n' && !(c == ' ' && !out.empty() && out.back() == ' ')) out += c;
  }
  return out;
}

/// Comments and signatures of what the header offers, without bodies, details and where PTX describes it.
std::string api_of(const std::string& header) {
  std::istringstream lines(header);
  std::string line, out, comment, declaration;
  bool in_detail = false;
  while (std::getline(lines, line)) {
    if (line == "namespace detail {") in_detail = true;
    if (line == "}  // namespace detail") in_detail = false;
    if (in_detail) continue;
    if (line.starts_with("/// ")) {
      comment += line.substr(1) + "\n";
    } else if (!declaration.empty() || begins_declaration(line)) {
      declaration += (declaration.empty() ? "" : "\n") + line;
      if (line.find('{') == std::string::npos && line.find(';') == std::string::npos) continue;
      comment = comment.substr(0, std::min(comment.rfind("\n// PTX ("), comment.rfind(" PTX (")));
      if (!comment.empty() && comment.back() != '\n') comment += '\n';
      out += comment + signature(declaration) + "\n";
      comment.clear();
      declaration.clear();
    }
  }
  return out;
}

TEST(Sm90Api, ThePromptShowsTheHeadersSignatures) {
  std::string api;
  for (const char* file : {"wgmma", "mbarrier", "tma", "registers"}) {
    api +=
        api_of(util::read_file(std::string(KGEN_SOURCE_DIR) + "/harness/include/kgen/sm90/" + file + ".cuh")
                   .value());
  }
  EXPECT_EQ(test::compare_golden("../../prompts/sm90_api.cuh", api), "");
}

}  // namespace
}  // namespace kgen::prompt
