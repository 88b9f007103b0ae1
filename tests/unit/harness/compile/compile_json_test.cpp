#include <gtest/gtest.h>

#include "harness/compile/compile_request.hpp"
#include "util/json.hpp"

namespace kgen::compile {
namespace {

TEST(CompileJson, ARequestComesBackAsItWas) {
  CompileRequest request;
  request.source = "\xFF\n__global__";
  request.macros = {{"B", -1}, {"A", 2}};
  request.type_aliases = {{"x", "bf16"}};
  request.kernels = {"k<1>"};
  request.max_registers = 128;
  request.fast_math = true;
  const auto copy = compile_request_from_json(nlohmann::json::parse(to_json(request).dump()));
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(to_json(*copy), to_json(request));
  EXPECT_EQ(copy->source, request.source);
  EXPECT_EQ(copy->macros, request.macros);
}

TEST(CompileJson, AResultComesBackAsItWas) {
  CompileResult result;
  result.failure = CompileFailure::kernel_missing;
  result.cubin = std::string(
      "\x7F"
      "ELF\0\xFF",
      6);
  result.diagnostics = {{"error", 3, "m", "s"}};
  CompiledKernel kernel;
  kernel.expression = "k";
  kernel.parameters = {{core::ParameterType::Kind::pointer, 8, false, "f32", true, "const float*"}};
  kernel.registers = 40;
  kernel.cluster = {2, 1, 1};
  result.kernels = {kernel};
  const auto copy = compile_result_from_json(nlohmann::json::parse(to_json(result).dump()));
  ASSERT_TRUE(copy.has_value());
  EXPECT_EQ(to_json(*copy), to_json(result));
  EXPECT_EQ(copy->cubin, result.cubin);
  EXPECT_EQ(copy->kernels.at(0).parameters.at(0).pointee, "f32");
}

TEST(CompileJson, WhatIsNoResultIsAnError) {
  EXPECT_FALSE(compile_result_from_json(nlohmann::json::parse("{\"ok\": 3}")).has_value());
  EXPECT_FALSE(compile_request_from_json(nlohmann::json()).has_value());
}

}  // namespace
}  // namespace kgen::compile
