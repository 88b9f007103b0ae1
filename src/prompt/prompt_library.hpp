#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "util/error.hpp"

namespace kgen::prompt {

/// One way to go about something, as a file of sections has it: "## name", then the text.
struct Advice {
  std::string name;
  std::string text;
};

/// The texts that prompts are made of: built in, and replaced one by one by the files of a folder.
class PromptLibrary {
 public:
  /// The built-in texts; where `folder` is not empty, files in it of the same name come instead, and those of
  /// the folders explore and knowledge beside them.
  /// Errors: bad_input for a folder that is not there, a file that cannot be read, or one of an unknown name.
  static Result<PromptLibrary> load(const std::filesystem::path& folder = {});

  /// "system.mustache"; empty where there is none.
  const std::string& text(std::string_view name) const;
  bool has(std::string_view name) const;
  /// Names of the texts below a folder, "knowledge/" say, in order.
  std::vector<std::string> names_in(std::string_view folder) const;
  /// The sections of "refine.md", say. Names are unique within a file.
  std::vector<Advice> advice(std::string_view file) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

/// Sections of a file: lines "## name" and what follows; what is above the first is left out.
std::vector<Advice> sections_of(std::string_view text);

}  // namespace kgen::prompt
