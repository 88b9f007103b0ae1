#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>
#include <string>

#include "util/file.hpp"

namespace kgen::reference_ops {

/// What these ops' reference.cu have from the first line with `begin` in it to the next `end`, each text
/// once; "" is among them where one has no such part.
inline std::set<std::string> part_of_references(const std::string& source_dir,
                                                std::initializer_list<const char*> ops,
                                                const std::string& begin, const std::string& end) {
  std::set<std::string> parts;
  for (const char* op : ops) {
    const auto text = util::read_file(source_dir + "/reference_ops/" + op + "/reference.cu");
    EXPECT_TRUE(text) << op;
    const std::size_t at = text ? text->find(begin) : std::string::npos;
    parts.insert(at == std::string::npos ? "" : text->substr(at, text->find(end, at) - at));
  }
  return parts;
}

}  // namespace kgen::reference_ops
