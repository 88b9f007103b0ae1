#include "harness/compile/toolkit_paths.hpp"

#include <gmock/gmock.h>

#include "harness/compile/nvrtc_library.hpp"
#include "util/file.hpp"

namespace kgen::compile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ToolkitPaths : public testing::Test {
 protected:
  util::TemporaryFolder folder_ = util::TemporaryFolder::create("kgen-toolkit-test").value();

  void touch(const std::string& name) {
    ASSERT_TRUE(util::write_file_atomic(folder_.path() / name, "").has_value());
  }
};

TEST_F(ToolkitPaths, RootsAreListedOnceAndOnlyWhereTheyExist) {
  const ToolkitSearch search{{folder_.path(), folder_.path() / ".", folder_.path() / "missing"}, false};
  EXPECT_EQ(toolkit_roots(search).size(), 1u);
}

TEST_F(ToolkitPaths, HeadersOfCuda13LieInTwoFolders) {
  touch("include/cuda_fp16.h");
  touch("include/cccl/cuda/std/cstdint");
  const auto folders = find_include_folders({folder_.path()});
  ASSERT_TRUE(folders.has_value());
  EXPECT_THAT(*folders, testing::ElementsAre(folder_.path() / "include", folder_.path() / "include/cccl"));
}

TEST_F(ToolkitPaths, HeadersOfCuda12LieInOne) {
  touch("include/cuda_fp16.h");
  touch("include/cuda/std/cstdint");
  EXPECT_THAT(find_include_folders({folder_.path()}).value(),
              testing::ElementsAre(folder_.path() / "include"));
}

TEST_F(ToolkitPaths, MissingHeadersSayWhereTheyWereLookedFor) {
  const auto folders = find_include_folders({folder_.path()});
  ASSERT_FALSE(folders.has_value());
  EXPECT_EQ(folders.error().kind, ErrorKind::missing);
  EXPECT_THAT(folders.error().text(), HasSubstr(folder_.path().string()));
  EXPECT_THAT(folders.error().text(), HasSubstr("CUDAToolkit_ROOT"));
}

TEST_F(ToolkitPaths, AFileThatIsNoLibraryIsNamedWithWhatIsWrong) {
  touch("lib64/libnvrtc.so.13");
  const auto library = open_nvrtc({folder_.path()});
  if (library) GTEST_SKIP() << "the loader's own path has NVRTC";
  EXPECT_THAT(library.error().message, HasSubstr("libnvrtc.so.13: cannot be opened"));
}

}  // namespace
}  // namespace kgen::compile
