// docs/ops/README.md names every op with its family and dtypes, and what every specification must have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "reference_ops/builtin_ops.hpp"
#include "util/file.hpp"

namespace kgen::reference_ops {
namespace {

/// Rows "| `name` | f32, f16 |" of the page, each behind its heading: name -> "family: f32, f16".
std::map<std::string, std::string> listed_ops() {
  std::map<std::string, std::string> listed;
  std::string family;
  std::istringstream page(*util::read_file(KGEN_SOURCE_DIR "/docs/ops/README.md"));
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) family = line.substr(3);
    if (!line.starts_with("| `")) continue;
    const auto end = line.find('`', 3), dtypes = line.find("| ", end) + 2;
    listed[line.substr(3, end - 3)] = family + ": " + line.substr(dtypes, line.find(" |", dtypes) - dtypes);
  }
  return listed;
}

TEST(Catalogue, ThePageNamesEveryOpWithItsFamilyAndDtypes) {
  const auto ops = builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  std::map<std::string, std::string> expected;
  for (const auto& op : *ops) {
    std::string text = op.family + ": ";
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    for (const auto dtype : op.dtypes)
      text += (text.ends_with(": ") ? "" : ", ") + std::string(core::name_of(dtype));
    expected[op.name] = text;
  }
  EXPECT_GE(expected.size(), 36u);
  EXPECT_EQ(listed_ops(), expected);
}

// docs/verification.md, "Screen".
TEST(Catalogue, EveryOpIsScreenedAtFiveShapesInThreeDistributions) {
  const auto ops = builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const auto& op : *ops) {
    const auto& shapes = op.check_shapes;
    EXPECT_GE(std::count_if(shapes.begin(), shapes.end(), [](const auto& shape) { return shape.screen; }), 5)
        << op.name;
    EXPECT_GE(op.distributions.size(), 3U) << op.name;
  }
}

}  // namespace
}  // namespace kgen::reference_ops
