#include <gtest/gtest.h>

#include "export/export_inputs.hpp"
#include "plan_tasks.hpp"

namespace kgen::exporting {
namespace {

using namespace core::examples;
using Kind = core::ParameterType::Kind;

ExportInputs some_inputs() {
  ExportInputs in;
  in.task = gemm_task();
  in.device = core::facts_for_arch("sm_90a").value();
  in.source = candidate(kSplitKGemm);
  in.plan = core::parse_plan(in.source).value();
  in.resolved = core::resolve_plan(in.plan, in.task, in.device, in.plan.defaults).value();
  const core::ParameterType pointer{Kind::pointer, 8, false, "void", false, "void*"},
      integer{Kind::integer, 4, true, "", false, "int"};
  in.build = {true,
              "",
              std::string("\x7f"
                          "ELF\0\xff",
                          6),
              "// ptx",
              {{"gemm<true>", "_Z4gemm", {pointer, pointer, pointer, pointer, integer, integer, integer}}}};
  in.provenance = {"- run some-run, candidate 3"};
  in.why_no_sample = "no reason";
  return in;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(ExportFiles, HoldTheSourceTheCodeAndWhereItComesFrom) {
  const ExportInputs in = some_inputs();
  const auto files = export_files(in);
  EXPECT_EQ(files.at("kernel/gemm_bf16.cu"), in.source);
  EXPECT_EQ(files.at("kernel/gemm_bf16.cubin"), in.build.cubin);
  EXPECT_EQ(files.at("kernel/gemm_bf16.ptx"), "// ptx");
  EXPECT_TRUE(has(files.at("README.md"), "- run some-run, candidate 3"));
  EXPECT_TRUE(has(files.at("README.md"), "`K % 8 == 0` (the kernel requires it)"));
  EXPECT_TRUE(has(files.at("README.md"), "is 1 (compiled in as K_ALIGNED)"));
  EXPECT_TRUE(has(files.at("src/kernel_image.cpp"), "127,69,76,70,0,255,0}")) << "the bytes, and a NUL";
}

TEST(ExportFiles, NoMarkerIsLeft) {
  for (const auto& [name, text] : export_files(some_inputs())) {
    if (name.starts_with("kernel/")) continue;
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at + 1))
      EXPECT_FALSE(at + 1 < text.size() && text[at + 1] >= 'A' && text[at + 1] <= 'Z')
          << name << ": " << text.substr(at, 40);
  }
}

TEST(ExportFiles, AKernelThatIsNotInTheCodeIsRefusedWhereItWouldRun) {
  const auto files = export_files(some_inputs());
  EXPECT_TRUE(has(files.at("src/gemm_bf16.cpp"), "refuse(\"fixup is not in the exported code"));
}

TEST(ExportFiles, SampleDataAreFiles) {
  ExportInputs in = some_inputs();
  in.sample = Sample{gemm_task(2, 2, 8),
                     {"normal",
                      {{"a", std::string(32, 'a'), {}, {}},
                       {"b", std::string(32, 'b'), {}, {}},
                       {"c", "", {1, 2, 3, 4}, {0, 0, 0, 0.5}}}}};
  const auto files = export_files(in);
  EXPECT_EQ(files.at("example/data/a.bin"), std::string(32, 'a'));
  EXPECT_EQ(files.at("example/data/c.expected.f64").size(), 32u);
  EXPECT_EQ(files.at("example/data/c.allowed.f64").size(), 32u);
  EXPECT_FALSE(files.contains("example/data/c.bin"));
  EXPECT_TRUE(has(files.at("example/main.cpp"), "shape.K = 8;"));
  EXPECT_TRUE(has(files.at("example/main.cpp"), "{\"c\", Element::bf16, 2, 4, false, true, 0}"));
}

TEST(ExportFiles, NamesAreIdentifiers) {
  EXPECT_EQ(identifier("rows"), "rows");
  EXPECT_EQ(identifier("for"), "for_");
  EXPECT_EQ(export_name(gemm_task()), "gemm_bf16");
}

}  // namespace
}  // namespace kgen::exporting
