#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "harness/compile/header_name.hpp"
#include "harness/compile/toolkit_paths.hpp"
#include "harness/compile/translation_unit.hpp"

namespace kgen::compile {
namespace {

namespace fs = std::filesystem;

struct Header {
  std::set<std::string> includes;
  bool by_macro = false;  ///< includes a file that a macro names
  bool once = false;
};

Header read_header(const fs::path& file) {
  Header header;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos) continue;
    if (line.compare(word, 11, "pragma once") == 0) header.once = true;
    if (line.compare(word, 7, "include") != 0) continue;
    const std::size_t name = line.find_first_not_of(" \t", word + 7);
    if (name == std::string::npos) continue;
    if (const auto found = header_name(line, name)) {
      header.includes.insert(found->name);
    } else if (line[name] != '/') {
      header.by_macro = true;
    }
  }
  return header;
}

/// Headers of the toolkit by their names below its include folders.
std::map<std::string, Header> toolkit_headers() {
  std::map<std::string, Header> headers;
  const auto folders = find_include_folders(toolkit_roots({}));
  if (!folders) return headers;
  for (const fs::path& folder : *folders) {
    const fs::path real = fs::canonical(folder);
    for (const auto& entry : fs::recursive_directory_iterator(real)) {
      if (entry.is_regular_file())
        headers.emplace(fs::relative(entry.path(), real).string(), read_header(entry.path()));
    }
  }
  return headers;
}

// A header that includes by a macro would open whatever the candidate defines the macro to be: a candidate
// may not reach one behind its own first line. So each such header, and each that leads to one, is refused
// by name or read in front of the candidate, once.
TEST(ToolkitIncludes, NoHeaderIncludesByAMacroOfTheCandidate) {
  const std::map<std::string, Header> headers = toolkit_headers();
  if (headers.empty()) GTEST_SKIP() << "no CUDA toolkit on this machine";
  std::set<std::string> leads;
  for (const auto& [name, header] : headers)
    if (header.by_macro) leads.insert(name);
  EXPECT_FALSE(leads.empty()) << "the toolkit has no Thrust any more: this test looks at nothing";
  for (std::size_t before = 0; before != leads.size();) {
    before = leads.size();
    for (const auto& [name, header] : headers) {
      for (const std::string& included : header.includes)
        if (leads.count(included) != 0) leads.insert(name);
    }
  }
  for (const std::string& name : leads) {
    if (!why_header_refused(name).empty()) continue;
    const std::string front = preamble({name}, [](const std::string&) { return true; });
    EXPECT_NE(front.find("#include <" + name + ">"), std::string::npos) << name << " is read too late";
    EXPECT_TRUE(headers.at(name).once) << name << " can be read twice";
  }
}

}  // namespace
}  // namespace kgen::compile
