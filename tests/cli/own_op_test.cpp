// Ops of the user's own: begun with `ops new`, proven with `ops check`, and taken everywhere where a name is.
// The real worker, on the emulator.
#include "cli/own_op.hpp"

namespace kgen::test {
namespace {

using nlohmann::json;

TEST_F(OwnOp, WhatNewMakesIsProvenAsItStands) {
  const auto document = kgen_json({"ops", "check", "./mine", "--device", "emulator"});
  EXPECT_EQ(document.at("exit_code"), 0) << document.dump(2);
  EXPECT_EQ(document.at("ops").at(0).at("proven"), true);
  EXPECT_EQ(findings_of(document, "mutants").at(0).at("detail"), "1 rejected");
  EXPECT_EQ(findings_of(document, "kernels").at(0).at("state"), "missing");
  EXPECT_TRUE(contains(findings_of(document, "oracle").at(0).at("detail"), "bf16, f32, f16: "))
      << document.dump(2);
  const auto again = kgen({"ops", "new", "mine"});
  EXPECT_EQ(again.status.code, 2);
  EXPECT_TRUE(contains(again.err, "is there already")) << again.err;
  EXPECT_EQ(kgen({"ops", "new", "my-op"}).status.code, 2) << "no identifier";
}

TEST_F(OwnOp, MutantsThatPassAndKernelsThatFailAreFindings) {
  write("mine/kernels/good.cu", good_kernel());
  write("mine/mutants/right.cu", good_kernel());
  write("mine/mutants/broken.cu", "/*kgen\n{}\n*/\n");
  const std::string wrong = read(path("mine/mutants/last_term_missing.cu"));
  write("mine/kernels/wrong.cu", wrong);
  std::string named = wrong;
  named.replace(named.find("Rejected by: values"), 19, "Rejected by: hearsay");
  write("mine/mutants/named.cu", named);
  int code = -1;
  const auto document =
      kgen_json({"ops", "check", "./mine", "--dtype", "f32", "--device", "emulator"}, &code);
  EXPECT_EQ(code, 3);
  const auto mutants = findings_of(document, "mutants"), kernels = findings_of(document, "kernels");
  ASSERT_EQ(mutants.size(), 3U) << document.dump(2);
  EXPECT_EQ(mutants[0].at("where"), "mutants/broken.cu");
  EXPECT_TRUE(contains(mutants[0].at("detail"), "never ran")) << mutants[0];
  EXPECT_EQ(mutants[1].at("where"), "mutants/named.cu");
  EXPECT_TRUE(contains(mutants[1].at("detail"), "values, but its notes say \"Rejected by: hearsay.\""))
      << mutants[1];
  EXPECT_EQ(mutants[2].at("where"), "mutants/right.cu");
  EXPECT_TRUE(contains(mutants[2].at("detail"), "is accepted")) << mutants[2];
  ASSERT_EQ(kernels.size(), 1U) << document.dump(2);
  EXPECT_EQ(kernels[0].at("where"), "kernels/wrong.cu");
}

TEST_F(OwnOp, AnOutputThatIsZeroInAllCasesProvesNothing) {
  std::string spec = read(path("mine/op.toml"));
  const auto first = spec.find("[[distributions]]"), last = spec.find("[[shapes]]");
  ASSERT_LT(first, last);
  write("mine/op.toml", spec.replace(first, last - first,
                                     "[[distributions]]\nname = \"nothing\"\nscreen = true\n"
                                     "values = { kind = \"constant\", low = 0 }\n\n"));
  int code = -1;
  const auto document =
      kgen_json({"ops", "check", "./mine", "--dtype", "f32", "--device", "emulator"}, &code);
  EXPECT_EQ(code, 3);
  expect_one_failure(document.at("ops").at(0), "constant output", "any kernel that writes that passes");
  const auto quick = kgen_json(quick_check(), &code);
  EXPECT_EQ(code, 0) << quick.dump(2);
  EXPECT_EQ(findings_of(quick, "constant output").at(0).at("state"), "missing") << "of three small shapes";
}

TEST_F(OwnOp, AnOracleThatIsRunNowhereProvesNothing) {
  std::string spec = read(path("mine/op.toml"));
  const auto first = spec.find("[[shapes]]"), last = spec.find("# What you would call instead");
  ASSERT_LT(first, last);
  write("mine/op.toml", spec.replace(first, last - first,
                                     "[[shapes]]\ndims = { rows = 70000, cols = 4097 }\nscreen = true\n"
                                     "[[shapes]]\ndims = { rows = 0, cols = 64 }\n"
                                     "[emulator]\nrows = 70000\ncols = 4096\n\n"));
  std::vector<std::string> whole = quick_check();
  whole.erase(std::ranges::find(whole, "--quick"));
  for (const auto& command : {whole, quick_check()}) {
    int code = -1;
    const auto document = kgen_json(command, &code);
    EXPECT_EQ(code, 3) << document.dump(2);
    EXPECT_EQ(document.at("ops").at(0).at("proven"), false);
    expect_one_failure(document.at("ops").at(0), "oracle", "too much work for the emulator");
  }
}

TEST_F(OwnOp, ItsFolderIsTakenWhereANameIs) {
  const std::vector<std::string> emulator = {"--op", "./mine", "--device", "emulator"};
  const auto eval = kgen_json(std::vector<std::string>{"eval", "good.cu"} + emulator);
  EXPECT_EQ(eval.at("evaluation").at("verdict"), "correct") << eval.at("evaluation").at("message");
  EXPECT_EQ(
      kgen({"eval", "mine/mutants/last_term_missing.cu", "--op", "mine/op.toml", "--device", "emulator"})
          .status.code,
      3);
  const auto tune = kgen_json(std::vector<std::string>{"tune", "good.cu"} + emulator);
  EXPECT_EQ(tune.at("sweep").at("variants").size(), 2U) << tune.dump(2);
  const auto profile = kgen(std::vector<std::string>{"profile", "good.cu"} + emulator);
  EXPECT_EQ(profile.status.code, 0) << profile.err;
  EXPECT_TRUE(contains(kgen({"ops", "show", "./mine"}).out, "Weighted sum of each row"));
  const auto named = kgen({"ops", "show", "mine"});
  EXPECT_EQ(named.status.code, 2);
  EXPECT_TRUE(contains(named.err, "./mine")) << named.err;
}

TEST_F(OwnOp, GenerateResumeAndBatchSearchForIt) {
  write("reply", "```cuda\n" + good_kernel() + "```\n");
  const std::vector<std::string> model = {"--device",     "emulator",
                                          "--provider",   "exec",
                                          "--command",    "cat >/dev/null; cat " + path("reply").string(),
                                          "--candidates", "1"};
  const auto run = kgen_json(std::vector<std::string>{"generate", "--op", "./mine"} + model);
  EXPECT_EQ(run.at("outcome"), "unmeasured") << run.dump(2);
  EXPECT_EQ(run.at("op"), "mine");
  std::filesystem::remove_all(path("runs"));
  write("lists/list.toml", "[[task]]\nop = '../mine'\ndtype = ['f32', 'bf16']\n");  // seen from the list
  const auto batch = kgen_json(std::vector<std::string>{"batch", "lists/list.toml"} + model);
  ASSERT_EQ(batch.at("items").size(), 2U) << batch.dump(2);
  for (const json& item : batch.at("items")) EXPECT_EQ(item.at("outcome"), "unmeasured") << item;
}

TEST_F(OwnOp, ASpecificationThatCannotBeReadNamesFileLineAndField) {
  const auto expect = [&](const std::string& from, const std::string& to, const std::string& part) {
    const std::string before = read(path("mine/op.toml"));
    edit("mine/op.toml", from, to);
    const auto output = kgen(quick_check());
    EXPECT_EQ(output.status.code, 2) << output.out;
    EXPECT_TRUE(contains(output.err, part)) << output.err;
    EXPECT_TRUE(contains(output.err, "./mine/op.toml:")) << output.err;
    write("mine/op.toml", before);
  };
  expect("shape = [\"rows\", \"cols\"]", "shape = [\"rows\", \"colls\"]",
         "tensors[0]: shape[1]: 'colls': unknown name 'colls'");
  expect("shape = [\"rows\"]", "shape = [\"numel(y)\"]", "tensors[2]: shape[0]: 'numel(y)'");
  expect("default = 4096", "default = \"cols\"", "dims[1]: default: is \"cols\"");
  expect("shape = [\"cols\"]", "shape = [\"cols - 4\"]", "extent 'cols - 4' of tensor w is -3");
  expect("\"bytes(x) +", "\"bytes(z) +", "cost: bytes: 'bytes(z)");
  expect("[tolerance.y]", "[tolerance.z]", "tolerance");
  write("mine/reference.py", "def forward(x, w): ...");
  EXPECT_TRUE(contains(kgen(quick_check()).err, "./mine holds both reference.cu and reference.py"));
  std::filesystem::remove(path("mine/reference.cu"));
  std::filesystem::remove(path("mine/reference.py"));
  const auto output = kgen(quick_check());
  EXPECT_EQ(output.status.code, 2);
  EXPECT_TRUE(contains(output.err, "./mine holds neither reference.cu nor reference.py")) << output.err;
}

struct BadOracle {
  const char* name;
  const char* from;  ///< in reference.cu
  const char* to;
  const char* finding;
  const char* part;  ///< of its detail
};
constexpr const char* kWrite = "y[row] = sum;";
const BadOracle kBadOracles[] = {
    {"input_of_another_dtype", "const w_t* w", "const int* w", "oracle",
     "/reference.cu: launches[0].args[1]: got w, expected a pointer to float"},
    {"output_that_is_no_double", "double* y,", "float* y,", "oracle",
     "args[2]: got y, expected a pointer to double"},
    {"does_not_compile", "double sum", "doubel sum", "oracle", "/reference.cu does not compile: line 11: "},
    {"never_writes_an_element", "row >= rows", "row >= rows - 1", "written", "y[0] is never written"},
    {"crashes", kWrite, "y[row] = sum; *(volatile int*)8 = 1;", "oracle", "/crashes/reference.cu: fault: "},
    {"traps", kWrite, "y[row] = sum; __trap();", "oracle", "line 18"},
    {"hangs", kWrite, "y[row] = sum; while (cols > 0) { }", "oracle", "/hangs/reference.cu: timeout: "},
    {"writes_more_than_the_shape", kWrite, "y[row] = sum; y[rows] = sum;", "oracle", "past the end of `y`"},
    {"gives_other_results_each_time", kWrite, "y[row] = sum + (double)(clock64() % 1000003);", "repeatable",
     "two runs on the same inputs differ: y[0] is "},
    {"changes_an_input", kWrite, "y[row] = sum; ((x_t*)x)[row] = x_t(0.5f);", "oracle", "changes an input"},
    {"nan_of_finite_inputs", kWrite, "y[row] = NAN;", "numbers", "y[0] is nan though every input is finite"},
    {"scale_never_written", "y_scale[row] = magnitudes;", "", "numbers", "y_scale[0] is nan"},
    {"scale_without_end", "= magnitudes;", "= magnitudes / 0.0;", "numbers", "y_scale[0] is "},
    {"scale_below_zero", "= magnitudes;", "= -magnitudes - 1.0;", "numbers", "y_scale[0] is -"},
};

TEST_F(OwnOp, WhatIsWrongWithAnOracleIsOneFinding) {
  std::vector<std::string> folders;
  for (const BadOracle& bad : kBadOracles) {
    folders.push_back("./" + std::string(bad.name));
    copy_op(bad.name);
    edit(bad.name + std::string("/reference.cu"), bad.from, bad.to);
  }
  int code = -1;
  const json document = kgen_json(quick_check(folders), &code);
  EXPECT_EQ(code, 3);
  ASSERT_TRUE(document.contains("ops")) << document.dump(2);
  ASSERT_EQ(document.at("ops").size(), std::size(kBadOracles));
  for (std::size_t i = 0; i < std::size(kBadOracles); ++i) {
    SCOPED_TRACE(kBadOracles[i].name);
    expect_one_failure(document.at("ops").at(i), kBadOracles[i].finding, kBadOracles[i].part);
  }
}

TEST_F(OwnOp, CostsThatCannotBeTrueAndTolerancesThatLetAnythingPassAreFound) {
  copy_op("cheap");
  edit("cheap/op.toml", "bytes(x) + bytes(w) + bytes(y)", "bytes(y)");
  edit("mine/op.toml", "steps = \"1\"", "steps = \"100000000\"");
  int code = -1;
  const json document = kgen_json(quick_check({"./cheap", "./mine"}), &code);
  EXPECT_EQ(code, 3);
  expect_one_failure(document.at("ops").at(0), "cost", "the tensors alone have");
  const auto wrong = findings_of(document, "wrong outputs", 1);
  ASSERT_GE(wrong.size(), 2U) << document.dump(2);
  EXPECT_TRUE(contains(wrong[0].at("detail"), "y: zeros within tolerance passes")) << document.dump(2);
}

TEST_F(OwnOp, OneWhoseTensorChangesInPlaceHasItsOwnOracleOnTheSameMemory) {
  const auto source = std::filesystem::path(KGEN_SOURCE_DIR) / "reference_ops" / "residual_add";
  for (const char* file : {"op.toml", "reference.cu", "kernels/vectorised.cu"})
    write(std::string("theirs/") + file, read(source / file));
  edit("theirs/op.toml", "name = \"residual_add\"", "name = \"theirs\"");
  const auto document =
      kgen_json({"ops", "check", "./theirs", "--dtype", "f32", "--device", "emulator", "--seed", "1"});
  EXPECT_EQ(document.at("exit_code"), 0) << document.dump(2);
  EXPECT_EQ(findings_of(document, "kernels").at(0).at("detail"), "1 correct") << document.dump(2);
}

TEST_F(OwnOp, AnOracleThatFailsDuringAnEvaluationIsTheUsersToMend) {
  edit("mine/reference.cu", kWrite, "y[row] = sum; __trap();");
  const auto output = kgen({"eval", "good.cu", "--op", "./mine", "--device", "emulator"});
  EXPECT_EQ(output.status.code, 2) << output.out;
  EXPECT_TRUE(contains(output.err, "mine/reference.cu: fault: ")) << output.err;
}

}  // namespace
}  // namespace kgen::test
