#include <gtest/gtest.h>

#include "harness/profile/cupti_library.hpp"

namespace kgen::profile {
namespace {

TEST(ExplainCode, PermissionSaysHowToGiveIt) {
  const CodeText text = explain_code(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
  EXPECT_EQ(text.name, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_NE(text.meaning.find("ERR_NVGPUCTRPERM"), std::string::npos);
  EXPECT_NE(text.advice.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
}

TEST(ExplainCode, ObstaclesArePermissionOtherProfilersAndVirtualDevices) {
  for (const int code :
       {CUPTI_ERROR_HARDWARE_BUSY, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED,
        CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES,
        CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_INVALID_CHIP_NAME}) {
    EXPECT_FALSE(explain_code(code).meaning.empty()) << code;
    EXPECT_FALSE(explain_code(code).advice.empty()) << code;
  }
}

TEST(ExplainCode, AnUnknownCodeKeepsItsNumber) {
  EXPECT_EQ(explain_code(4711).name, "CUPTI error 4711");
}

TEST(Cupti, WhereThereIsNoneItSaysWhatToInstall) {
  // A folder without CUPTI does not hide one that the system's loader finds.
  const auto opened = Cupti::open({"/nonexistent"});
  if (opened) GTEST_SKIP() << "the system's loader finds a CUPTI by itself";
  EXPECT_EQ(opened.error().kind, ErrorKind::missing);
  EXPECT_NE(opened.error().hint.find("cuda-cupti"), std::string::npos);
}

}  // namespace
}  // namespace kgen::profile
