#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/resolved_plan.hpp"
#include "plan_tasks.hpp"
#include "reference_ops/builtin_ops.hpp"

namespace kgen::core {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> candidates_of(const std::string& op) {
  const std::filesystem::path folder = std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops" / op;
  std::vector<std::filesystem::path> files;
  for (const char* kind : {"kernels", "mutants"})
    if (std::filesystem::exists(folder / kind))
      for (const auto& entry : std::filesystem::directory_iterator(folder / kind))
        if (entry.path().extension() == ".cu") files.push_back(entry.path());
  return files;
}

/// Kernels and mutants in the tree are candidates: each resolves at every shape that it claims to serve.
TEST(PlanFiles, EveryCandidateInTheTreeResolves) {
  const auto ops = reference_ops::builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  const DeviceFacts hopper;
  int resolved = 0;
  for (const Op& op : *ops) {
    const Task task = make_task(std::make_shared<const Op>(op), "", {}, {}).value();
    for (const auto& file : candidates_of(op.name)) {
      const auto plan = parse_plan(text_of(file));
      ASSERT_TRUE(plan) << file << ": " << plan.error().text();
      for (const CheckShape& shape : op.check_shapes) {
        const Task at = at_shape(task, shape.dims, shape.attributes).value();
        const auto unmet = unmet_requirement(*plan, at, hopper);
        ASSERT_TRUE(unmet) << file << ": " << unmet.error().text();
        if (*unmet) continue;
        const auto variants = feasible_variants(*plan, at, hopper);
        ASSERT_TRUE(variants) << file << ": " << variants.error().text();
        const auto numbers = resolve_plan(*plan, at, hopper, variants->front());
        ASSERT_TRUE(numbers) << file << " at " << describe(at) << ": " << numbers.error().text();
        ++resolved;
      }
    }
  }
  EXPECT_GT(resolved, 20);
}

TEST(PlanFiles, TheDocumentedExampleResolves) {
  const std::string text = text_of(std::filesystem::path(KGEN_SOURCE_DIR) / "docs" / "candidate-format.md");
  const std::size_t begin = text.find("/*kgen\n");
  ASSERT_NE(begin, std::string::npos);
  const auto plan = parse_plan(text.substr(begin, text.find("\n```", begin) - begin));
  ASSERT_TRUE(plan) << plan.error().text();
  const auto resolved = resolve_plan(*plan, examples::gemm_task(), DeviceFacts{}, {{"SPLITS", 2}});
  ASSERT_TRUE(resolved) << resolved.error().text();
  EXPECT_EQ(resolved->steps.size(), 2U);
}

/// References write doubles and error scales besides, so only their plans' shape is known here.
TEST(PlanFiles, EveryReferenceParses) {
  const auto ops = reference_ops::builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  for (const Op& op : *ops) {
    const auto plan = parse_plan(op.reference_cu);
    EXPECT_TRUE(plan) << op.name << ": " << plan.error().text();
  }
}

}  // namespace
}  // namespace kgen::core
