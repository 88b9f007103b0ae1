#include "cli/doctor_text.hpp"

#include <gtest/gtest.h>

namespace kgen::cli {
namespace {

TEST(DoctorText, EachLineIsOkOrSaysWhatToDo) {
  const std::vector<DoctorSection> sections = {
      {"worker",
       {{"NVRTC", true, "13.0", ""},
        {"driver", false, "libcuda.so.1 is missing", "install the NVIDIA driver"}}}};
  EXPECT_EQ(doctor_text(sections, false),
            "worker\n"
            "  ok  NVRTC   13.0\n"
            "  no  driver  libcuda.so.1 is missing\n"
            "              -> install the NVIDIA driver\n");
}

TEST(DoctorText, WhatAWorkerSaysCannotPaintTheTerminal) {
  const std::string text = doctor_text({{"worker", {{"torch", true, "2.11\x1b[31m", ""}}}}, false);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace kgen::cli
