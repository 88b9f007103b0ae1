#include "cli/shape_text.hpp"

#include <gtest/gtest.h>

#include "reference_ops/builtin_ops.hpp"

namespace kgen::cli {
namespace {

class ShapeText : public testing::Test {
 protected:
  std::string shape_error(const std::string& text) const {
    const auto dims = parse_shape(text, *op_);
    return dims ? "no error" : dims.error().text();
  }
  std::shared_ptr<const core::Op> op_ = *reference_ops::find_builtin_op("softmax");
};

TEST_F(ShapeText, ReadsNumbersWithBinarySuffixes) {
  EXPECT_EQ(parse_shape("rows=8192,cols=8Ki", *op_), (core::Dims{{"rows", 8192}, {"cols", 8192}}));
  EXPECT_EQ(parse_shape("cols=1Gi,rows=0", *op_), (core::Dims{{"rows", 0}, {"cols", 1 << 30}}));
}

TEST_F(ShapeText, EachMistakeIsNamedWithWhatWasExpected) {
  struct Case {
    const char *text, *message;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"rows=1,cosl=2", "softmax has no dim 'cosl'; its dims are: cols, rows"},
           {"rows=1", "dim 'cols' of softmax is missing; name every dim, e.g. --shape rows=8192,cols=8192"},
           {"rows=1,cols=0", "cols=0 is too small: softmax takes cols of at least 1"},
           {"rows=-1,cols=4", "rows=-1 is too small"},
           {"rows=ten,cols=4", "rows=ten is not a whole number"},
           {"rows=1.5,cols=4", "rows=1.5 is not a whole number"},
           {"rows=8kb,cols=4", "rows=8kb is not a whole number"},
           {"rows=99999999999999999999,cols=4", "does not fit in 64 bits"},
           {"rows=9223372036854775807Ki,cols=4", "does not fit in 64 bits"},
           {"rows", "'rows' is not NAME=NUMBER"},
           {"rows=,cols=1", "'rows=' is not NAME=NUMBER"},
           {"=3", "'=3' is not NAME=NUMBER"},
           {"rows=1,rows=2,cols=3", "names rows twice"}})
    EXPECT_NE(shape_error(c.text).find(c.message), std::string::npos)
        << c.text << ": " << shape_error(c.text);
}

TEST_F(ShapeText, AnUnknownAttributeIsRefused) {
  EXPECT_FALSE(parse_attributes("eps=1e-5", *op_));
  EXPECT_TRUE(parse_attributes("", *op_));
}

TEST_F(ShapeText, ATaskThatDoesNotFitSaysHowMuchItNeeds) {
  const auto task = core::make_task(op_, "f32", {{"rows", 1 << 20}, {"cols", 1 << 16}}, {});
  ASSERT_TRUE(task) << task.error().text();
  core::DeviceFacts device;
  device.name = "Small GPU";
  device.memory_bytes = std::int64_t{8} << 30;
  const Status status = check_memory(*task, device);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().kind, ErrorKind::bad_input);
  EXPECT_NE(
      status.error().text().find("needs 1.5 TiB (1649267441664 bytes) to be judged: 512 GiB for its tensors"),
      std::string::npos)
      << status.error().text();
  EXPECT_NE(status.error().text().find("Small GPU has 8 GiB"), std::string::npos) << status.error().text();
  device.memory_bytes = 0;
  EXPECT_TRUE(check_memory(*task, device));
}

}  // namespace
}  // namespace kgen::cli
