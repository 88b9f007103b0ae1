#include "core/op.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/task.hpp"
#include "reference_ops/builtin_ops.hpp"
#include "util/json.hpp"

namespace kgen::core {
namespace {

constexpr const char* kMinimal = R"toml(
name = "twice"
title = "Twice"
description = "y = 2 x"
dtypes = ["f32"]
[[dims]]
name = "n"
default = 8
[[tensors]]
name = "x"
role = "input"
shape = ["n"]
[[tensors]]
name = "y"
role = "output"
shape = ["n"]
[cost]
flops = "n"
bytes = "bytes(x) + bytes(y)"
[tolerance.y]
steps = "1"
[[distributions]]
name = "normal"
)toml";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& toml) {
  const auto op = parse_op(toml, "", "twice/op.toml");
  return op ? "no error" : op.error().text();
}

TEST(OpReader, RejectsTextThatIsNotAsciiOutsideOfStrings) {
  for (const char* toml : {"id\u0351", "id \u00e9 = 1", "id = \"\"\"\\\n\u00e9\"\"\"", "id = \"\\\u00e9\""})
    EXPECT_FALSE(parse_op(toml, "", "twice/op.toml")) << toml;
}

// toml++ 3.3 asserts that a key begins behind "[[": "[[[" ended the program.
TEST(OpReader, NoShortTextEndsTheProgram) {
  const std::string letters = "[]{}a1=.,\"'# \n\\\xc3";
  std::string text(4, ' ');
  const std::size_t count = letters.size();
  for (std::size_t number = 0; number < count * count * count * count; ++number) {
    std::size_t rest = number;
    for (char& letter : text) {
      letter = letters[rest % count];
      rest /= count;
    }
    EXPECT_FALSE(parse_op(text, "", "twice/op.toml")) << text;
  }
}

TEST(OpReader, ValuesOfAnIntegerInputStayBelowWhatTheSpecSays) {
  const std::string index =
      "[[tensors]]\nname = \"ids\"\nrole = \"input\"\ndtype = \"i32\"\nshape = [\"n\"]\nbelow = \"2 * "
      "n\"\n[cost]";
  const std::string toml = with(kMinimal, "[cost]", index);
  const auto op = parse_op(toml, "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  const auto again = op_from_json(to_json(*op));
  ASSERT_TRUE(again) << again.error().text();
  const auto task = *make_task(std::make_shared<const Op>(*again), "f32", {{"n", 5}}, {});
  EXPECT_EQ(tensors_of(task)->at(2).below, 10);
  EXPECT_EQ(tensors_of(task)->at(0).below, 0);
  EXPECT_NE(error_of(with(toml, "below = \"2 * n\"", "below = \"n - 8\"")).find("which is 0"),
            std::string::npos);
  EXPECT_NE(error_of(with(toml, "\"i32\"", "\"f32\"")).find("below"), std::string::npos);
  EXPECT_NE(error_of(with(toml, "role = \"input\"\ndtype", "role = \"output\"\ndtype")).find("below"),
            std::string::npos);
}

constexpr const char* kIds =
    "[[tensors]]\nname = \"ids\"\nrole = \"input\"\ndtype = \"i32\"\nshape = [\"n\"]\nbelow = \"n\"\n";
constexpr const char* kMask =
    "[[tensors]]\nname = \"keep\"\nrole = \"input\"\ndtype = \"b8\"\nshape = [\"n\"]\n";

Op op_with(const std::string& tensors, const std::string& more = "") {
  const auto op = parse_op(with(kMinimal, "[cost]", tensors + "[cost]") + more, "", "twice/op.toml");
  EXPECT_TRUE(op) << op.error().text();
  return op ? *op : Op{};
}

TEST(OpReader, IndicesAndMasksThatNoDistributionNamesAreDrawnAtTheirEndsAndInRunsToo) {
  const Op op = op_with(std::string(kIds) + kMask);
  ASSERT_EQ(op.distributions.size(), 3U);
  const Distribution &ends = op.distributions[1], &runs = op.distributions[2];
  EXPECT_EQ(ends.name, "normal_at_ends");
  EXPECT_EQ(ends.per_tensor.at("ids").kind, GeneratorKind::integers);
  EXPECT_EQ(ends.per_tensor.at("keep").kind, GeneratorKind::ramp);
  EXPECT_EQ(runs.name, "normal_in_runs");
  EXPECT_EQ(runs.per_tensor.at("ids").kind, GeneratorKind::runs);
  EXPECT_FALSE(runs.screen);
  EXPECT_EQ(to_json(op).at("distributions").size(), 1U) << "who reads it adds them";
  const auto again = op_from_json(to_json(op));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->distributions.size(), 3U);

  EXPECT_EQ(op_with("").distributions.size(), 1U) << "floats are the op's own matter";
  const Op named = op_with(std::string(kIds) + kMask, "tensors = { ids = { kind = \"constant\" } }\n");
  ASSERT_EQ(named.distributions.size(), 3U) << "of the mask";
  EXPECT_EQ(named.distributions[1].per_tensor.at("ids").kind, GeneratorKind::constant);
}

TEST(OpReader, AddedDistributionsTakeNoNameOfTheOps) {
  const Op op = op_with(kIds, "[[distributions]]\nname = \"normal_at_ends\"\n");
  ASSERT_EQ(op.distributions.size(), 4U);
  EXPECT_EQ(op.distributions[2].name, "normal_at_ends_");
  EXPECT_TRUE(op_from_json(to_json(op)));
}

TEST(OpReader, IndicesOfASumAreNeitherAllAlikeNorComparedForEquality) {
  const std::string toml = with(with(kMinimal, "[cost]", std::string(kIds) + "[cost]"), "steps = \"1\"",
                                "steps = \"1\"\nlength = \"n\"") +
                           "compare = \"equal\"\n";
  const auto op = parse_op(toml, "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  ASSERT_EQ(op->distributions.size(), 2U);
  EXPECT_EQ(op->distributions[1].per_tensor.at("ids").kind, GeneratorKind::log_scale);
  EXPECT_TRUE(op->distributions[0].compare_equal);
  EXPECT_FALSE(op->distributions[1].compare_equal);
}

TEST(OpReader, EndsOfGroupsAreThoseOfSomethingAndNoDistributionBreaksThem) {
  const std::string ends =
      "[[tensors]]\nname = \"stops\"\nrole = \"input\"\ndtype = \"i32\"\nshape = [\"3\"]\nbelow = \"n + "
      "1\"\nends = true\n[cost]";
  const std::string toml = with(kMinimal, "[cost]", ends);
  const auto op = parse_op(toml, "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  const auto again = op_from_json(to_json(*op));
  ASSERT_TRUE(again) << again.error().text();
  const auto task = *make_task(std::make_shared<const Op>(*again), "f32", {{"n", 5}}, {});
  EXPECT_TRUE(tensors_of(task)->at(2).ends);
  EXPECT_FALSE(tensors_of(task)->at(0).ends);
  EXPECT_NE(error_of(with(toml, "below = \"n + 1\"\n", "")).find("stops needs below"), std::string::npos);
  const auto of = [&](const char* kind) {
    return error_of(toml + "tensors = { stops = { kind = \"" + kind + "\" } }\n");
  };
  EXPECT_EQ(of("constant"), "no error");
  EXPECT_NE(of("integers").find("stops holds ends of groups"), std::string::npos);
}

TEST(OpReader, ReadsAMinimalSpec) {
  const auto op = parse_op(kMinimal, "// naive", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  EXPECT_EQ(op->name, "twice");
  EXPECT_EQ(op->tensors.size(), 2u);
  EXPECT_EQ(op->outputs().front()->name, "y");
  EXPECT_EQ(op->reference_cu, "// naive");
}

TEST(OpReader, EveryBuiltInOpIsLegalAndSurvivesTheWire) {
  const auto ops = reference_ops::builtin_ops();
  ASSERT_TRUE(ops) << ops.error().text();
  ASSERT_GE(ops->size(), 2u);
  for (const Op& op : *ops) {
    const auto json = nlohmann::json::parse(to_json(op).dump());  // as it travels: a text
    const auto back = op_from_json(json);
    ASSERT_TRUE(back) << op.name << ": " << back.error().text();
    EXPECT_EQ(to_json(*back), json) << op.name;
    EXPECT_FALSE(op.reference_cu.empty()) << op.name;
  }
}

TEST(OpReader, GeneratorsSayTheirExponentsAndTheAxisOfTheirRows) {
  const auto of = [](const char* values) { return std::string(kMinimal) + "values = { " + values + " }\n"; };
  const auto op = parse_op(of("kind = 'ramp', low = 1, high = 2, row_axis = -1"), "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  const auto again = op_from_json(to_json(*op));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->distributions[0].values.kind, GeneratorKind::ramp);
  EXPECT_EQ(again->distributions[0].values.row_axis, -1);
  EXPECT_FALSE(again->distributions[0].with_attributes);
  EXPECT_NE(error_of(of("row_axis = -2")).find("row_axis is -2, and x has 1 axes"), std::string::npos);
  EXPECT_NE(error_of(of("row_axis = 1")).find("below 0"), std::string::npos);
  for (const char* wrong : {"kind = 'log_scale', low = -2000", "kind = 'power_of_two', low = 3, high = 2"})
    EXPECT_NE(error_of(of(wrong)).find("low"), std::string::npos) << wrong;
}

TEST(OpReader, GeneratorsMayHaveNanAndInfinitiesButNoRangesOfThem) {
  const auto of = [](const char* values) { return std::string(kMinimal) + "values = { " + values + " }\n"; };
  const auto op = parse_op(of("kind = 'one_hot', low = -inf, high = nan"), "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  const auto again = op_from_json(nlohmann::json::parse(to_json(*op).dump()));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(std::isnan(again->distributions[0].values.high));
  EXPECT_EQ(again->distributions[0].values.low, -INFINITY);
  EXPECT_NE(error_of(of("kind = 'uniform', low = 0, high = inf")).find("two finite numbers"),
            std::string::npos);
}

TEST(OpReader, ZerosOfAFloatOutputMayHaveSigns) {
  const auto saying = [](const char* zeros) {
    return with(kMinimal, "[tolerance.y]\n", std::string("[tolerance.y]\nzeros = ") + zeros + "\n");
  };
  EXPECT_FALSE(parse_op(kMinimal, "", "twice/op.toml")->tolerances.at("y").signed_zeros);
  EXPECT_FALSE(parse_op(saying("\"equal\""), "", "twice/op.toml")->tolerances.at("y").signed_zeros);
  const auto op = parse_op(saying("\"signed\""), "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  EXPECT_TRUE(op->tolerances.at("y").signed_zeros);
  EXPECT_TRUE(op_from_json(to_json(*op))->tolerances.at("y").signed_zeros) << "on the wire too";
  EXPECT_NE(error_of(saying("\"unsigned\""))
                .find("tolerance.y: zeros: is 'unsigned'; expected one of equal, signed"),
            std::string::npos)
      << error_of(saying("\"unsigned\""));
  EXPECT_NE(error_of(saying("true")).find("zeros: is true; expected a text"), std::string::npos);
  const std::string whole =
      with(saying("\"signed\""), "role = \"output\"", "role = \"output\"\ndtype = \"i32\"");
  EXPECT_NE(error_of(whole).find("tolerance.y: zeros: y holds whole numbers, whose zeros have no sign"),
            std::string::npos)
      << error_of(whole);
}

TEST(OpReader, HashFollowsSpecAndReference) {
  const auto one = parse_op(kMinimal, "a", "f")->hash;
  EXPECT_NE(one, parse_op(kMinimal, "b", "f")->hash);
  EXPECT_NE(one, parse_op(with(kMinimal, "Twice", "Double"), "a", "f")->hash);
}

TEST(OpReader, MessagesNameFileAndField) {
  EXPECT_NE(error_of("name = ").find("twice/op.toml:1"), std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "shape = [\"n\"]", "shape = [\"m\"]")).find("'m'"), std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "\"input\"", "\"in\""))
                .find("tensors[0]: role: is 'in'; expected one of input"),
            std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "[\"f32\"]", "[\"f33\"]")).find("dtypes: holds 'f33'"),
            std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "steps", "stepz")).find("unknown field 'stepz'"), std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "[tolerance.y]\nsteps = \"1\"", "")).find("tolerance.y is missing"),
            std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "flops = \"n\"", "flops = \"n *\"")).find("flops"), std::string::npos);
  const std::string baseline = "\n[[baselines]]\nname = \"b\"\nkind = \"naive\"\ndiffers_in = [\"x\"]\n";
  EXPECT_NE(error_of(kMinimal + baseline).find("baselines.b.differs_in: no output has the name 'x'"),
            std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "bytes = \"bytes(x)", "bytes = \"bytes(q)")).find("q"),
            std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "default = 8", "default = 0")).find("below min"), std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "name = \"y\"", "name = \"n\"")).find("tensor 'n' is taken"),
            std::string::npos);
  EXPECT_NE(
      error_of(with(kMinimal, "name = \"y\"", "name = \"size\"")).find("tensor 'size' cannot be named so"),
      std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "[\"f32\"]", "[\"f32\"]\ndefault_dtype = \"f64\""))
                .find("default_dtype: is 'f64', which is none of dtypes"),
            std::string::npos);
  const std::string deep =
      error_of(with(kMinimal, "flops = \"n\"", "flops = \"" + std::string(50000, '(') + "\""));
  EXPECT_NE(deep.find("is no expression"), std::string::npos) << deep;
  EXPECT_LT(deep.size(), 400U) << "a message is to be read";
}

TEST(OpReader, RefusesControlCharactersInText) {
  const std::string message = error_of(with(kMinimal, "title = \"", "title = \"\\u001b[31m"));
  EXPECT_NE(message.find("title: holds control characters"), std::string::npos) << message;
  EXPECT_TRUE(parse_op(with(kMinimal, "title = \"", "title = \"two\\r\\n\\tlines "), "", "twice/op.toml"));
}

TEST(OpReader, NamesFileLineAndField) {
  const auto message = [](const std::string& from, const std::string& to) {
    const auto op = parse_op(with(kMinimal, from, to), "", "twice/op.toml");
    return op ? std::string("no error") : op.error().message;
  };
  const auto line_of = [](const std::string& text, const std::string& part) {
    return std::to_string(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(part)), '\n') + 1);
  };
  const std::string wrong = with(kMinimal, "name = \"y\"", "name = \"y\"\ndtyp = \"T\"");
  EXPECT_EQ(message("name = \"y\"", "name = \"y\"\ndtyp = \"T\""),
            "twice/op.toml:" + line_of(wrong, "dtyp =") + ": tensors[1]: unknown field 'dtyp'");
  const std::string role = message("role = \"output\"", "role = \"outptu\"");
  EXPECT_TRUE(message("bytes = \"bytes(x) + bytes(y)\"", "bytes = \"bytes(x) + bytes(z)\"")
                  .starts_with("twice/op.toml:" + line_of(kMinimal, "bytes = ") +
                               ": cost: bytes: 'bytes(x) + bytes(z)'"))
      << message("bytes = \"bytes(x) + bytes(y)\"", "bytes = \"bytes(x) + bytes(z)\"");
  EXPECT_TRUE(message("role = \"output\"\nshape = [\"n\"]", "role = \"output\"\nshape = [\"m\"]")
                  .starts_with("twice/op.toml:16: tensors[1]: shape[0]: 'm': unknown name 'm'"))
      << message("role = \"output\"\nshape = [\"n\"]", "role = \"output\"\nshape = [\"m\"]");
  EXPECT_EQ(message("[cost]", "[costs]"), "twice/op.toml: cost: is missing; expected a table");
  EXPECT_TRUE(role.starts_with("twice/op.toml:" + line_of(kMinimal, "role = \"output\"") +
                               ": tensors[1]: role: is 'outptu'"))
      << role;
}

/// The minimal spec with an attribute of these fields.
std::string with_attribute(const std::string& fields) {
  return with(kMinimal, "[[tensors]]", "[[attributes]]\nname = \"a\"\n" + fields + "\n[[tensors]]");
}

TEST(OpReader, RefusesWidthsAndMeansThatAreNone) {
  const auto of = [](const std::string& values) {
    return error_of(std::string(kMinimal) + "values = { " + values + " }\n");
  };
  for (const char* field : {"mean", "stddev", "row_stddev"}) {
    for (const char* value : {"nan", "inf", "-inf"}) {
      const std::string error = of(std::string(field) + " = " + value);
      EXPECT_NE(error.find(std::string("distributions[0].values: ") + field + ": is no finite number"),
                std::string::npos)
          << error;
    }
  }
  EXPECT_NE(of("stddev = -1").find("values: stddev: is below 0"), std::string::npos) << of("stddev = -1");
  EXPECT_NE(of("row_stddev = -1").find("values: row_stddev: is below 0"), std::string::npos);
  EXPECT_EQ(of("mean = -1, stddev = 0"), "no error");
}

TEST(OpReader, RefusesDtypesAndExtentsThatMakeNoSense) {
  EXPECT_NE(
      error_of(with(kMinimal, "[\"f32\"]", "[\"f32\", \"f16\", \"f32\"]")).find("dtypes: holds 'f32' twice"),
      std::string::npos);
  EXPECT_NE(error_of(with(kMinimal, "default = 8", "default = 8\nmin = -1")).find("dims[0]: min: is below 0"),
            std::string::npos);
  const auto accumulator = [](const std::string& dtype) {
    return error_of(with(kMinimal, "steps = \"1\"", "steps = \"1\"\naccumulator = \"" + dtype + "\""));
  };
  EXPECT_EQ(accumulator("f64"), "no error");
  for (const char* dtype : {"i32", "b8", "f33"})
    EXPECT_NE(accumulator(dtype).find("tolerance.y: accumulator: is '" + std::string(dtype) +
                                      "'; expected a float dtype"),
              std::string::npos)
        << accumulator(dtype);
}

TEST(OpReader, AnAttributesDefaultLiesInItsRange) {
  EXPECT_EQ(error_of(with_attribute("type = \"float\"\ndefault = 2\nlow = 1\nhigh = 3")), "no error");
  EXPECT_NE(error_of(with_attribute("type = \"float\"\ndefault = 4\nlow = 1\nhigh = 3"))
                .find("attributes[0]: default: is 4, outside low to high (1 to 3)"),
            std::string::npos);
  const std::string whole = with_attribute("type = \"int\"\ndefault = 30\nlow = 1\nhigh = 2");
  EXPECT_NE(error_of(whole).find("attributes[0]: default: is 30, outside low to high (1 to 2)"),
            std::string::npos)
      << error_of(whole);
  EXPECT_EQ(error_of(with(whole, "title", "rules = [\"a >= 1\"]\ntitle")), "no error")
      << "a rule says what it may be";
  EXPECT_NE(
      error_of(with_attribute("default = 1\nlow = 1")).find("attributes[0]: low: is there without high"),
      std::string::npos);
  EXPECT_NE(
      error_of(with_attribute("default = 1\nhigh = 1")).find("attributes[0]: high: is there without low"),
      std::string::npos);
  EXPECT_NE(
      error_of(with_attribute("default = 1\nlow = 2\nhigh = 1")).find("attributes[0]: low: is above high"),
      std::string::npos);
}

TEST(OpReader, AnAttributesDefaultIsOfItsType) {
  const auto of = [](const char* type, const char* value) {
    return error_of(with_attribute(std::string("type = \"") + type + "\"\ndefault = " + value));
  };
  EXPECT_NE(of("bool", "2").find("attributes[0]: default: is 2; expected true or false"), std::string::npos);
  EXPECT_NE(of("int", "1.5").find("attributes[0]: default: is 1.5; expected a whole number"),
            std::string::npos);
  for (const char* value : {"nan", "inf"})
    EXPECT_NE(of("float", value).find("expected a finite number"), std::string::npos) << of("float", value);
  EXPECT_EQ(of("float", "1.5"), "no error");
}

TEST(OpReader, BooleansAreDefaultsOfBoolsAlone) {
  const std::string toml = with_attribute("type = \"bool\"\ndefault = true") +
                           "[[shapes]]\ndims = { n = 3 }\nattributes = { a = false }\n";
  const auto op = parse_op(toml, "", "twice/op.toml");
  ASSERT_TRUE(op) << op.error().text();
  EXPECT_EQ(op->attributes[0].default_value, 1);
  EXPECT_EQ(op->check_shapes[0].attributes.at("a"), 0);
  EXPECT_EQ(error_of(with_attribute("type = \"bool\"\ndefault = 1")), "no error");
  EXPECT_NE(
      error_of(with_attribute("type = \"int\"\ndefault = true")).find("default: is true; expected a number"),
      std::string::npos);
}

TEST(OpReader, KnownFieldsAreThoseThatAFileMayHave) {
  EXPECT_NE(
      error_of(std::string("colour = 1\n") + kMinimal).find("known fields: attributes, baselines, cost"),
      std::string::npos);
  for (const char* own : {"hash", "reference_cu", "reference_py"})
    EXPECT_EQ(error_of(std::string("colour = 1\n") + kMinimal).find(own), std::string::npos) << own;
  for (const char* text : {"", "# nothing yet\n"})
    EXPECT_NE(error_of(text).find("twice/op.toml is empty"), std::string::npos) << error_of(text);
}

TEST(OpReader, BlamesTheFieldThatIsWrong) {
  const auto message = [](const std::string& toml) {
    const auto op = parse_op(toml, "", "twice/op.toml");
    return op ? std::string("no error") : op.error().message;
  };
  const auto expect = [&](const std::string& toml, const std::string& begins) {
    EXPECT_TRUE(message(toml).starts_with("twice/op.toml:" + begins)) << message(toml);
  };
  const auto rules = [](const std::string& rule) {
    return with(kMinimal, "\ntitle", "\nrules = [\"n > 0\",\n\"" + rule + "\"]\ntitle");
  };
  expect(rules("n >"), "4: rules[1]: 'n >' is no expression");
  expect(rules("rules"), "4: rules[1]: 'rules': unknown name 'rules'");
  expect(rules("n > 1000"), "4: rules[1]: 'n > 1000' is false at the defaults, n=8");
  expect(with(kMinimal, "flops = \"n\"", "flops = \"-n\""), "18: cost: flops: '-n' is -8 at the defaults");
  const std::string second = "[[dims]]\nname = \"n\"\n[[tensors]]";
  expect(with(kMinimal, "[[tensors]]", second), "10: dims[1]: name: dim 'n' is taken by another");
  expect(with(kMinimal, "name = \"y\"", "name = \"x\""),
         "14: tensors[1]: name: tensor 'x' is taken by another");
  expect(with(kMinimal, "[tolerance.y]", "[tolerance.z]"), "20: tolerance.z: no output has that name");
  expect(with(kMinimal, "role = \"input\"", "role = \"input\"\nrow_axis = \"7\""),
         "12: tensors[0]: row_axis: row_axis of tensor x is 7");
  const std::string index =
      with(kMinimal, "role = \"input\"", "role = \"input\"\ndtype = \"i32\"\nbelow = \"B\"");
  expect(with(index, "\"B\"", "\"numel(x)\""), "13: tensors[0]: below: 'numel(x)': unknown 'numel(x)'");
  expect(with(index, "\"B\"", "\"n - 8\""),
         "13: tensors[0]: below: tensor x holds 8 values below 'n - 8', which is 0");
  const std::string gemm = "[gemm]\na = \"q\"\nb = \"x\"\nout = \"y\"\nm = \"1\"\nn = \"n\"\nk = \"1\"\n";
  expect(kMinimal + gemm, "24: gemm: ");
}

}  // namespace
}  // namespace kgen::core
