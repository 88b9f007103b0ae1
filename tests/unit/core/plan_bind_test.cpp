#include <gtest/gtest.h>

#include <cstring>

#include "core/pointee.hpp"
#include "core/resolved_plan.hpp"
#include "plan_tasks.hpp"

namespace kgen::core {
namespace {

using namespace examples;
using Kind = ParameterType::Kind;

ParameterType pointer(const std::string& pointee, bool is_const = true) {
  return {Kind::pointer, 8, false, pointee, is_const, (is_const ? "const " : "") + pointee + "*"};
}
ParameterType integer(std::size_t bytes, bool is_signed, const std::string& text) {
  return {Kind::integer, bytes, is_signed, "", false, text};
}
ParameterType floating(std::size_t bytes) {
  return {Kind::floating, bytes, true, "", false, bytes == 4 ? "float" : "double"};
}
const ParameterType kTensorMap{Kind::tensor_map, 128, false, "", false, "CUtensorMap"};
const ParameterType kInt = integer(4, true, "int");

ResolvedArgument buffer(const std::string& name) {
  return {ResolvedArgument::Kind::buffer, name, 0, 0, "", name};
}
ResolvedArgument map_named(const std::string& name) {
  return {ResolvedArgument::Kind::tensor_map, name, 0, 0, "", name};
}
ResolvedArgument number(std::int64_t value, const std::string& type = "") {
  return {ResolvedArgument::Kind::integer, "", value, 0, type, std::to_string(value)};
}
ResolvedArgument real(double value, const std::string& type = "") {
  return {ResolvedArgument::Kind::floating, "", 0, value, type, "scale"};
}

PlanResult<std::vector<BoundArgument>> bind(const std::vector<ResolvedArgument>& args,
                                            const std::vector<ParameterType>& parameters) {
  ResolvedLaunch launch;
  launch.step = 2;
  launch.kernel = "gemm";
  launch.args = args;
  return bind_arguments(launch, parameters, mixed_task());
}

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string bound_bytes(const ResolvedArgument& argument, const ParameterType& parameter) {
  const auto bound = bind({argument}, {parameter});
  EXPECT_TRUE(bound) << bound.error().text();
  return bound ? bound->at(0).bytes : "";
}

TEST(PlanBind, BuffersAndMapsStayNames) {
  const auto bound = bind({buffer("x"), buffer("y"), map_named("tmX"), buffer("acc")},
                          {pointer("f32"), pointer("f32", false), kTensorMap, pointer("f32", false)});
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_EQ(bound->at(0).kind, BoundArgument::Kind::buffer);
  EXPECT_EQ(bound->at(0).name, "x");
  EXPECT_EQ(bound->at(2).kind, BoundArgument::Kind::tensor_map);
  EXPECT_EQ(bound->at(2).name, "tmX");
  EXPECT_EQ(bound->at(3).name, "acc");
}

TEST(PlanBind, AWrongCountShowsTheKernelsSignature) {
  const PlanProblem problem = problem_in(bind({buffer("x")}, {pointer("f32"), kInt}));
  EXPECT_EQ(problem.field, "launches[2].args");
  EXPECT_EQ(problem.text(),
            "launches[2].args: got 1 arguments, expected 2, as the kernel declares: gemm(const f32*, int)");
}

TEST(PlanBind, ConstDoesNotDecide) {
  EXPECT_TRUE(bind({buffer("x")}, {pointer("f32", false)}));
  EXPECT_TRUE(bind({buffer("y")}, {pointer("f32", true)}));
}

TEST(PlanBind, APointerToAnotherElementTypeIsRefused) {
  const PlanProblem problem = problem_in(bind({number(1), buffer("x")}, {kInt, pointer("f16")}));
  EXPECT_EQ(problem.field, "launches[2].args[1]");
  EXPECT_EQ(problem.value, "x");
  EXPECT_TRUE(has(problem.expected, "a pointer to float, since x is f32")) << problem.expected;
  EXPECT_TRUE(has(problem.expected, "parameter 2 of gemm, const f16*")) << problem.expected;
  EXPECT_TRUE(has(problem.expected, "cast inside the kernel from const x_t*")) << problem.expected;
  const PlanProblem output = problem_in(bind({buffer("h")}, {pointer("f32", false)}));
  EXPECT_TRUE(has(output.expected, "or to its bits: void*, half2*, any integer or integer vector"))
      << output.expected;
  EXPECT_TRUE(has(output.expected, "from h_t* (for")) << output.expected;
  EXPECT_TRUE(bind({buffer("acc")}, {pointer("f16")}));
}

struct Fit {
  const char* pointee;
  DType dtype;
  bool fits;
};

TEST(PlanBind, PointeesThatFitAndThoseThatDoNot) {
  const std::vector<Fit> cases{
      {"void", DType::bf16, true},
      {"f32", DType::tf32, true},
      {"f16", DType::tf32, false},
      {"float4", DType::tf32, true},
      {"f32", DType::f32, true},
      {"float", DType::f32, true},
      {"f32", DType::f16, false},
      {"__half", DType::f32, false},
      {"f16", DType::bf16, false},
      {"i32", DType::f32, true},
      {"unsigned int", DType::bf16, true},
      {"unsigned long long", DType::f16, true},
      {"long long", DType::f32, true},
      {"long", DType::f8e5m2, true},
      {"short", DType::bf16, true},
      {"char", DType::f64, true},
      {"bool", DType::f32, false},
      {"i64", DType::i32, false},
      {"u8", DType::i32, false},
      {"uchar2", DType::i32, false},
      {"uint2", DType::i32, true},
      {"f32", DType::i32, false},
      {"f64", DType::f32, false},
      {"u8", DType::f8e4m3, true},
      {"i8", DType::f8e4m3, true},
      {"unsigned short", DType::f8e4m3, true},
      {"u32", DType::f8e4m3, true},
      {"u8", DType::i8, true},
      {"u8", DType::b8, true},
      {"bool", DType::b8, true},
      {"char", DType::u8, true},
      {"b8", DType::f8e5m2, false},
      {"u32", DType::u4x8, true},
      {"u4x8", DType::u4x8, true},
      {"u8", DType::u4x8, true},
      {"uint4", DType::u4x8, true},
      {"u64", DType::u4x8, true},
      {"bool", DType::u4x8, false},
      {"f32", DType::u4x8, false},
      {"u32", DType::i8, true},
      {"i32", DType::u8, true},
      {"i8", DType::b8, true},
      {"u32", DType::b8, true},
      {"ushort", DType::i8, true},
      {"uchar4", DType::i8, true},
      {"f32", DType::i8, false},
      {"f16", DType::b8, false},
      {"u32", DType::i16, false},
      {"u16", DType::bf16, true},
      {"i16", DType::bf16, true},
      {"long long", DType::i64, true},
      {"u64", DType::i64, true},
      {"u8", DType::f32, true},
      {"f8e4m3", DType::f8e5m2, false},
      {"float4", DType::f32, true},
      {"float2", DType::f32, true},
      {"float4", DType::bf16, true},
      {"float2", DType::bf16, false},
      {"uint4", DType::bf16, true},
      {"uint2", DType::f16, true},
      {"int4", DType::f8e4m3, true},
      {"uchar4", DType::bf16, true},
      {"uchar3", DType::bf16, true},
      {"uint1", DType::f64, true},
      {"ulonglong2", DType::f16, true},
      {"__nv_bfloat162", DType::bf16, true},
      {"__nv_bfloat162", DType::f16, false},
      {"__half2", DType::f16, true},
      {"__half2", DType::f32, false},
      {"double4_16a", DType::f64, true},
      {"__nv_fp8x4_e4m3", DType::f8e4m3, true},
      {"Pack<8>", DType::bf16, true},
      {"float*", DType::f32, false},
  };
  for (const Fit& c : cases)
    EXPECT_EQ(pointee_fits(c.pointee, c.dtype), c.fits) << c.pointee << " " << name_of(c.dtype);
}

TEST(PlanBind, AnOracleThatReadsFloatsThroughIntegersIsMistaken) {
  const auto fits = [](const char* pointee, DType dtype) {
    return pointee_fits(pointee, dtype, KernelOf::oracle);
  };
  EXPECT_FALSE(fits("int", DType::f32));
  EXPECT_FALSE(fits("unsigned int", DType::f32));
  EXPECT_FALSE(fits("short", DType::bf16));
  EXPECT_FALSE(fits("u32", DType::f8e4m3));
  EXPECT_FALSE(fits("bool", DType::f8e5m2));
  EXPECT_TRUE(fits("u8", DType::f8e4m3));
  EXPECT_TRUE(fits("u16", DType::bf16));
  EXPECT_TRUE(fits("uint4", DType::bf16));
  EXPECT_TRUE(fits("unsigned int", DType::i32));
  EXPECT_FALSE(fits("unsigned int", DType::i8));
  EXPECT_FALSE(fits("u8", DType::u4x8));
}

TEST(PlanBind, WhatAMessageOffersInsteadFits) {
  for (const DTypeFacts& facts : all_dtypes()) {
    const std::string offered = reinterpreting_pointees(facts.dtype);
    for (std::size_t star = offered.find('*'); star != std::string::npos;
         star = offered.find('*', star + 1)) {
      const std::size_t before = offered.find_last_of(" (", star) + 1;
      const std::string pointee = offered.substr(before, star - before);
      EXPECT_TRUE(pointee_fits(pointee, facts.dtype)) << pointee << " in: " << offered;
    }
  }
  EXPECT_EQ(
      reinterpreting_pointees(DType::f32),
      "void*, float2*, any integer or integer vector (unsigned*, uint4*), any 16-byte vector (float4*)");
  EXPECT_EQ(reinterpreting_pointees(DType::i8),
            "void*, any integer or integer vector (unsigned*, uint4*), any 16-byte vector (float4*)");
  EXPECT_EQ(reinterpreting_pointees(DType::i32),
            "void*, an integer of 4 bytes, an integer vector of whole elements (uint4*), any 16-byte vector "
            "(float4*)");
}

TEST(PlanBind, PointersNumbersAndMapsDoNotMix) {
  EXPECT_FALSE(bind({buffer("x")}, {kInt}));
  EXPECT_TRUE(has(problem_in(bind({buffer("x")}, {kTensorMap})).expected, "under tensor_maps"));
  EXPECT_TRUE(has(problem_in(bind({map_named("tmX")}, {pointer("void")})).expected, "__grid_constant__"));
  EXPECT_FALSE(bind({number(0)}, {pointer("f32")}));
  EXPECT_FALSE(bind({number(0)}, {kTensorMap}));
  EXPECT_FALSE(bind({real(1)}, {kInt}));
  EXPECT_FALSE(bind({real(1)}, {pointer("f32")}));
}

TEST(PlanBind, AStructParameterIsNamed) {
  const ParameterType other{Kind::other, 16, false, "", false, "Params"};
  EXPECT_TRUE(has(problem_in(bind({number(1)}, {other})).expected, "a plan cannot pass Params"));
}

TEST(PlanBind, IntegersMustFitTheirParameter) {
  EXPECT_EQ(bound_bytes(number(-2), kInt), bytes_of<std::int32_t>(-2));
  EXPECT_EQ(bound_bytes(number(2147483647), kInt), bytes_of<std::int32_t>(2147483647));
  const PlanProblem big = problem_in(bind({number(2147483648)}, {kInt}));
  EXPECT_TRUE(has(big.expected, "a value from -2147483648 to 2147483647, not 2147483648")) << big.expected;
  EXPECT_FALSE(bind({number(-2147483649)}, {kInt}));
  EXPECT_EQ(bound_bytes(number(4294967295), integer(4, false, "unsigned int")),
            bytes_of<std::uint32_t>(4294967295U));
  EXPECT_FALSE(bind({number(-1)}, {integer(4, false, "unsigned int")}));
  EXPECT_FALSE(bind({number(-1)}, {integer(8, false, "size_t")}));
  EXPECT_EQ(bound_bytes(number(std::numeric_limits<std::int64_t>::min()), integer(8, true, "long")),
            bytes_of(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(bound_bytes(number(255), integer(1, false, "unsigned char")), "\xff");
  EXPECT_FALSE(bind({number(256)}, {integer(1, false, "unsigned char")}));
  EXPECT_FALSE(bind({number(32768)}, {integer(2, true, "short")}));
  EXPECT_FALSE(bind({number(1)}, {integer(16, true, "__int128")}));
}

TEST(PlanBind, BoolTakesZeroAndOne) {
  const ParameterType boolean = integer(1, false, "bool");
  EXPECT_EQ(bound_bytes(number(1), boolean), std::string(1, '\1'));
  EXPECT_EQ(bound_bytes(number(0), boolean), std::string(1, '\0'));
  EXPECT_FALSE(bind({number(2)}, {boolean}));
}

TEST(PlanBind, FloatsAreLaidOutInTheirSize) {
  EXPECT_EQ(bound_bytes(real(0.1), floating(4)), bytes_of(0.1F));
  EXPECT_EQ(bound_bytes(real(0.1), floating(8)), bytes_of(0.1));
  EXPECT_EQ(bound_bytes(real(0.1, "f32"), floating(4)), bytes_of(0.1F));
  EXPECT_EQ(bound_bytes(real(-std::numeric_limits<double>::infinity()), floating(4)),
            bytes_of(-std::numeric_limits<float>::infinity()));
  EXPECT_FALSE(bind({real(1e39)}, {floating(4)}));
  EXPECT_FALSE(bind({real(1)}, {floating(2)}));
}

TEST(PlanBind, AWholeNumberForAFloatMustBeExactUnlessSpelledOut) {
  EXPECT_EQ(bound_bytes(number(8192), floating(4)), bytes_of(8192.0F));
  EXPECT_FALSE(bind({number(16777217)}, {floating(4)}));
  EXPECT_EQ(bound_bytes(number(16777217), floating(8)), bytes_of(16777217.0));
  EXPECT_FALSE(bind({number(9007199254740993)}, {floating(8)}));
  EXPECT_EQ(bound_bytes(real(16777217, "f32"), floating(4)), bytes_of(16777216.0F));
}

TEST(PlanBind, ASpelledOutTypeMustBeTheParameters) {
  EXPECT_EQ(bound_bytes(number(5, "i64"), integer(8, true, "long long")), bytes_of<std::int64_t>(5));
  EXPECT_EQ(bound_bytes(number(5, "i64"), integer(8, false, "size_t")), bytes_of<std::int64_t>(5));
  EXPECT_TRUE(has(problem_in(bind({number(5, "i64")}, {kInt})).expected, "instead of {\"i64\": ...}"));
  EXPECT_FALSE(bind({real(5, "f32")}, {floating(8)}));
  EXPECT_FALSE(bind({number(5, "i32")}, {floating(4)}));
}

}  // namespace
}  // namespace kgen::core
