// The exported launcher, compiled and run against a libcuda.so.1 that writes its calls down, must do what
// kgen's own reading of the plan says, at every shape; what kgen would refuse, it refuses.
#include <gtest/gtest.h>

#include <cstring>
#include <sstream>

#include "export/export_inputs.hpp"
#include "harness/run/launch_sequence.hpp"
#include "plan_tasks.hpp"
#include "util/file.hpp"
#include "util/hex.hpp"
#include "util/subprocess.hpp"

namespace kgen::exporting {
namespace {

using namespace core::examples;
using core::ParameterType;
using Kind = ParameterType::Kind;

// Kernels end in their number of parameters: the fake driver prints so many.
constexpr const char* kGemm = R"json(
{ "requires": ["K % 8 == 0", "N % 8 == 0"],
  "tunables": {"BM": [64, 128], "SPLITS": [1, 4]}, "defaults": {"BM": 128, "SPLITS": 4},
  "constraints": ["M >= SPLITS"],
  "let": {"tiles": "ceil_div(M, BM) * ceil_div(N, 128)"},
  "defines": {"K_ALIGNED": "K % 64 == 0", "IS_TF32": "dtype(T) == tf32"},
  "workspace": {"acc": {"bytes": "SPLITS > 1 ? M * N * 4 : 0"}, "flags": {"bytes": "tiles * 4"}, "none": {"bytes": 0}},
  "tensor_maps": {
    "tmA": {"tensor": "a", "box_dim": [64, "BM / 2"], "swizzle": "128B"},
    "tmB": {"tensor": "b", "global_dim": ["N", "K"], "global_strides": ["N * 2"], "box_dim": [64, 32],
            "swizzle": "128B", "l2_promotion": "256B", "oob_fill": "nan"},
    "tmW": {"tensor": "acc", "dtype": "f32", "offset": 16, "global_dim": ["N - 4", "M"],
            "global_strides": ["N * 4"], "box_dim": [16, 8]}},
  "launches": [
    {"fill": "acc", "value": -1, "when": "SPLITS > 1"},
    {"fill": "c", "value": 3},
    {"kernel": "gemm_9", "grid": ["min(tiles, num_sms)", 1, "SPLITS"], "block": [256], "cluster": [1, 1, "SPLITS"],
     "dynamic_shared_bytes": "3 * (BM + 128) * 128",
     "args": ["tmA", "tmB", "tmW", "acc", "M", "K * 2", {"f32": 0.5}, "flags", "none"]},
    {"kernel": "fixup_4", "when": "SPLITS > 1", "grid": ["ceil_div(M * N, 1024)"], "block": [256, 2], "pdl": true,
     "args": ["acc", "c", "M * N", "M > N"]},
    {"kernel": "tail_1", "grid": ["M % 128"], "block": [32], "cooperative": true, "args": ["c"]} ] })json";

// Of tensors that are stored as f32 and called otherwise.
constexpr const char* kTf32 = R"json(
{ "tensor_maps": {"tmA": {"tensor": "a", "box_dim": [32, 64], "swizzle": "128B"}},
  "launches": [ {"fill": "c", "value": "dtype(a) == tf32 ? 3 : 5"},
                {"kernel": "gemm_2", "grid": ["M"], "block": [128], "args": ["tmA", "c"]} ] })json";

constexpr const char* kAttention = R"json(
{ "requires": ["D == 64 || D == 128", "dtype(q) == bf16 && sizeof(q) == 2"],
  "launches": [
    {"kernel": "attention_6", "grid": ["ceil_div(S, 64)", "B * H"], "block": [384],
     "args": ["q", "k", "v", "o", "scale", "window << 1"]},
    {"kernel": "mask_2", "when": "causal && S > 64", "grid": ["max(1, S / 64)"], "block": [32],
     "args": ["o", {"f64": "numel(o)"}]} ] })json";

ParameterType parameter(Kind kind, std::size_t bytes, bool is_signed = false, const std::string& text = "") {
  return {kind, bytes, is_signed, kind == Kind::pointer ? "void" : "", false, text};
}
const ParameterType kPointer = parameter(Kind::pointer, 8), kMap = parameter(Kind::tensor_map, 128),
                    kInt = parameter(Kind::integer, 4, true, "int"),
                    kLong = parameter(Kind::integer, 8, true, "long long"),
                    kUnsigned = parameter(Kind::integer, 4, false, "unsigned"),
                    kBool = parameter(Kind::integer, 1, false, "bool"),
                    kFloat = parameter(Kind::floating, 4, true, "float"),
                    kDouble = parameter(Kind::floating, 8, true, "double");

ExportInputs gemm_inputs() {
  ExportInputs in;
  in.task = gemm_task(1024, 512, 256);
  in.build.kernels = {
      {"gemm_9", "gemm_9", {kMap, kMap, kMap, kPointer, kInt, kLong, kFloat, kPointer, kPointer}},
      {"fixup_4", "fixup_4", {kPointer, kPointer, kUnsigned, kBool}},
      {"tail_1", "tail_1", {kPointer}}};
  in.source = candidate(kGemm) + "// TMA_BYTES\n";
  return in;
}

ExportInputs tf32_inputs() {
  ExportInputs in;
  in.task = gemm_task(64, 128, 256, core::DType::tf32);
  in.build.kernels = {{"gemm_2", "gemm_2", {kMap, kPointer}}};
  in.source = candidate(kTf32);
  return in;
}

ExportInputs attention_inputs() {
  ExportInputs in;
  in.task = attention_task(1000, 128);
  in.build.kernels = {{"attention_6", "attention_6", {kPointer, kPointer, kPointer, kPointer, kFloat, kInt}},
                      {"mask_2", "mask_2", {kPointer, kDouble}}};
  in.source = candidate(kAttention);
  return in;
}

core::DeviceFacts hopper() {
  core::DeviceFacts facts = core::facts_for_arch("sm_90a").value();
  facts.num_sms = 132;
  facts.max_dynamic_shared = 232448;
  facts.l2_bytes = 62914560;
  return facts;
}

ExportInputs finished(ExportInputs in) {
  in.device = hopper();
  in.plan = core::parse_plan(in.source).value();
  in.resolved = core::resolve_plan(in.plan, in.task, in.device, in.plan.defaults).value();
  in.build.ok = true;
  in.build.cubin = "cubin of " + in.task.op->name;
  in.build.ptx = "ptx";
  in.why_no_sample = "a test";
  return in;
}

constexpr std::int64_t kFirstTensor = std::int64_t{1} << 32, kWorkspace = std::int64_t{9} << 32;

// gemm M N K | tf32 M N K | attention S causal | misaligned | small
constexpr const char* kMain = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "attention_bf16.hpp"
#include "gemm_bf16.hpp"
#include "gemm_tf32.hpp"
void* at(std::size_t place) { return reinterpret_cast<void*>(place << 32); }
template <class Kernel, class Shape, class Tensors>
int run(const Shape& shape, const Tensors& tensors, std::size_t short_of) {
  Kernel kernel;
  auto status = Kernel::load(kernel);
  if (status) {
    std::size_t bytes = 0;
    status = kernel.workspace_bytes(shape, bytes);
    if (status) {
      std::printf("workspace %zu\n", bytes);
      status = kernel.launch(shape, tensors, at(9), bytes - short_of, reinterpret_cast<void*>(7));
    }
  }
  std::printf("status %d %s\n", status.code, status.message.c_str());
  return 0;
}
int main(int argc, char** argv) {
  const auto number = [&](int i) { return i < argc ? std::atoll(argv[i]) : 0; };
  if (std::strcmp(argv[1], "attention") == 0) {
    kgen_attention_bf16::Shape shape;
    shape.S = number(2);
    shape.causal = number(3) != 0;
    return run<kgen_attention_bf16::Kernel>(shape, kgen_attention_bf16::Tensors{at(1), at(2), at(3), at(4)}, 0);
  }
  if (std::strcmp(argv[1], "tf32") == 0) {
    kgen_gemm_tf32::Shape shape;
    shape.M = number(2), shape.N = number(3), shape.K = number(4);
    return run<kgen_gemm_tf32::Kernel>(shape, kgen_gemm_tf32::Tensors{at(1), at(2), at(3)}, 0);
  }
  kgen_gemm_bf16::Shape shape;
  shape.M = number(2), shape.N = number(3), shape.K = number(4);
  kgen_gemm_bf16::Tensors tensors{at(1), at(2), at(3)};
  if (std::strcmp(argv[1], "misaligned") == 0) tensors.b = static_cast<char*>(at(2)) + 16;
  if (std::strcmp(argv[1], "null") == 0) tensors.c = nullptr;
  return run<kgen_gemm_bf16::Kernel>(shape, tensors, std::strcmp(argv[1], "small") == 0 ? 1 : 0);
}
)";

/// The three exports and main.cpp, compiled once for all tests.
struct Launcher : testing::Test {
  static void SetUpTestSuite() {
    folder = new util::TemporaryFolder(util::TemporaryFolder::create("kgen-export-test").value());
    std::vector<std::string> command = {
        KGEN_CXX,  "-std=c++17", "-Wall", "-Wextra",
        "-Werror", "-O0",        "-o",    (folder->path() / "program").string()};
    ASSERT_TRUE(util::write_file_atomic(folder->path() / "main.cpp", kMain));
    command.push_back((folder->path() / "main.cpp").string());
    for (const ExportInputs& in :
         {finished(gemm_inputs()), finished(tf32_inputs()), finished(attention_inputs())}) {
      const auto at = folder->path() / export_name(in.task);
      for (const auto& [name, content] : export_files(in))
        ASSERT_TRUE(util::write_file_atomic(at / name, content));
      for (const char* include : {"include", "src"}) command.push_back("-I" + (at / include).string());
      command.push_back((at / "src" / (export_name(in.task) + ".cpp")).string());
      command.push_back((at / "src/kernel_image.cpp").string());
    }
    for (const char* option : {"-isystem", KGEN_CUDA_INCLUDE, "-ldl"}) command.emplace_back(option);
    util::SpawnOptions options;
    options.argv = command;
    const auto built = util::run_command(options, "", std::chrono::minutes(4));
    ASSERT_TRUE(built) << built.error().text();
    ASSERT_EQ(built->status.code, 0) << built->err;
  }
  static void TearDownTestSuite() {
    delete folder;
    folder = nullptr;
  }

  /// What the program writes, or "refused" and the message.
  std::string run(const std::vector<std::string>& words) {
    util::SpawnOptions options;
    options.argv = {(folder->path() / "program").string()};
    options.argv.insert(options.argv.end(), words.begin(), words.end());
    options.extra_env = {{"LD_LIBRARY_PATH", KGEN_FAKE_CUDA_DIR}};
    const auto output = util::run_command(options, "", std::chrono::seconds(60));
    EXPECT_TRUE(output && output->status.code == 0) << (output ? output->err : output.error().text());
    return output ? output->out : "";
  }
  static util::TemporaryFolder* folder;
};
util::TemporaryFolder* Launcher::folder = nullptr;

/// Writes what the fake driver would, from kgen's own resolution of the plan.
class Expected {
 public:
  Expected(const ExportInputs& in, const core::Task& task) : in_(in), task_(task) {}

  std::string text() {
    const auto resolved = core::resolve_plan(in_.plan, task_, in_.device, in_.resolved.variant);
    if (!resolved) return "no plan: " + resolved.error().text();
    plan_ = *resolved;
    std::map<std::string, run::CompiledKernel> kernels;
    for (const auto& kernel : in_.build.kernels)
      kernels[kernel.expression] = {kernel.lowered_name, kernel.parameters};
    const auto sequence = run::build_sequence(plan_, task_, kernels);
    if (!sequence) return "no sequence: " + sequence.error().text();
    place_buffers();
    out_ << "load " << in_.build.cubin << "\nworkspace " << workspace_ << "\n";
    for (const auto& step : sequence->steps) std::visit([&](const auto& s) { write(s); }, step);
    out_ << "status 0 \n";
    return out_.str();
  }

 private:
  void place_buffers() {
    std::int64_t place = 0;
    const auto tensors = core::tensors_of(task_).value();
    for (const auto& tensor : tensors) at_[tensor.name] = ++place * kFirstTensor;
    for (const auto& workspace : plan_.workspace) {
      at_[workspace.name] = workspace.bytes > 0 ? kWorkspace + workspace_ : 0;
      workspace_ += (workspace.bytes + 255) / 256 * 256;
    }
  }

  void write(const run::FillBuffer& fill) {
    out_ << "fill" << 8 * fill.element_bytes << ' ' << at_[fill.buffer] << ' ' << std::hex << fill.pattern
         << std::dec << ' ' << fill.count << "\n";
  }

  std::string map_bytes(const std::string& name) {
    const auto map = std::find_if(plan_.tensor_maps.begin(), plan_.tensor_maps.end(),
                                  [&](const auto& m) { return m.name == name; });
    out_ << "map " << (map->dtype == core::DType::bf16 ? 9 : 7) << " at " << at_[map->buffer] + map->offset;
    list("dims", map->global_dim);
    list("strides", map->global_strides);
    list("box", map->box_dim);
    list("element_strides", map->element_strides);
    out_ << " modes 0 " << (map->swizzle == "128B" ? 3 : 0) << ' ' << (map->l2_promotion == "256B" ? 3 : 0)
         << ' ' << (map->oob_fill == "nan" ? 1 : 0) << "\n";
    return std::string(8, static_cast<char>(++maps_));
  }

  void write(const run::LaunchKernel& launch) {
    std::vector<std::string> args;
    for (const auto& arg : launch.args) {
      std::string bytes = arg.bytes;
      if (arg.kind == core::BoundArgument::Kind::tensor_map) bytes = map_bytes(arg.name);
      if (arg.kind == core::BoundArgument::Kind::buffer) {
        bytes.resize(8);
        std::memcpy(bytes.data(), &at_[arg.name], 8);
      }
      bytes.resize(8);
      args.push_back(util::to_hex(bytes));
    }
    if (launch.dynamic_shared_bytes > 0)
      out_ << "opt_in " << launch.lowered_name << " 8 " << launch.dynamic_shared_bytes << "\n";
    out_ << "launch " << launch.lowered_name << " grid";
    for (const auto n : launch.grid) out_ << ' ' << n;
    out_ << " block";
    for (const auto n : launch.block) out_ << ' ' << n;
    out_ << " shared " << launch.dynamic_shared_bytes << " stream 7";
    if (launch.cluster[0] > 0)
      out_ << " cluster " << launch.cluster[0] << ' ' << launch.cluster[1] << ' ' << launch.cluster[2];
    out_ << (launch.cooperative ? " cooperative" : "") << (launch.pdl ? " pdl" : "") << " args";
    for (const auto& arg : args) out_ << ' ' << arg;
    out_ << "\n";
  }

  template <class T>
  void list(const char* name, const std::vector<T>& values) {
    out_ << ' ' << name;
    for (const auto value : values) out_ << ' ' << value;
  }

  const ExportInputs& in_;
  const core::Task& task_;
  core::ResolvedPlan plan_;
  std::map<std::string, std::int64_t> at_;
  std::int64_t workspace_ = 0;
  int maps_ = 0;
  std::ostringstream out_;
};

TEST_F(Launcher, DoesWhatThePlanSaysAtEveryShape) {
  const ExportInputs in = finished(gemm_inputs());
  for (const auto& [m, n, k] :
       {std::tuple{1024, 512, 256}, {1000, 1024, 64}, {4, 16, 64}, {130, 8, 128}, {128, 4096, 8192}}) {
    const auto task = core::at_shape(in.task, {{"M", m}, {"N", n}, {"K", k}}, {}).value();
    EXPECT_EQ(run({"gemm", std::to_string(m), std::to_string(n), std::to_string(k)}),
              Expected(in, task).text());
  }
}

TEST_F(Launcher, Tf32IsStoredAsF32) {
  const ExportInputs in = finished(tf32_inputs());
  const auto task = core::at_shape(in.task, {{"M", 32}, {"N", 64}, {"K", 128}}, {}).value();
  const std::string out = run({"tf32", "32", "64", "128"});
  EXPECT_EQ(out, Expected(in, task).text());
  EXPECT_NE(out.find("fill32 "), std::string::npos) << out;
  EXPECT_NE(out.find(" 40400000 "), std::string::npos) << "3 as a float: " << out;
}

/// What the example decodes must have a name for every element type.
TEST(Example, KnowsEveryElementType) {
  ExportInputs in = finished(gemm_inputs());
  const std::string text = export_files(in).at("example/main.cpp");
  const auto at = text.find("enum class Element {");
  ASSERT_NE(at, std::string::npos);
  const std::string names = text.substr(at, text.find(" }", at) - at) + ",";
  for (const core::DTypeFacts& facts : core::all_dtypes())
    EXPECT_NE(names.find(" " + std::string(facts.name) + ","), std::string::npos) << facts.name;
}

TEST_F(Launcher, AttributesAreArgumentsAndConditions) {
  const ExportInputs in = finished(attention_inputs());
  for (const auto& [s, causal] : {std::pair{1000, 1}, {1000, 0}, {64, 1}, {1, 0}}) {
    const auto task = core::at_shape(in.task, {{"S", s}}, {{"causal", static_cast<double>(causal)}}).value();
    EXPECT_EQ(run({"attention", std::to_string(s), std::to_string(causal)}), Expected(in, task).text());
  }
}

TEST_F(Launcher, RefusesWhatItWasNotMadeFor) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const std::string out = run(words);
    EXPECT_NE(out.find("status 1 "), std::string::npos) << out;
    EXPECT_NE(out.find(why), std::string::npos) << out;
    EXPECT_EQ(out.find("\nlaunch "), std::string::npos) << "nothing is queued: " << out;
  };
  refused({"gemm", "1024", "512", "12"}, "requires K % 8 == 0");
  refused({"gemm", "1024", "512", "72"}, "compiled for K_ALIGNED = 1");
  refused({"gemm", "3", "512", "64"}, "M >= SPLITS");
  refused({"gemm", "-1", "512", "64"}, "M is less than 0");
  refused({"gemm", "4611686018427387904", "512", "64"}, "overflows");
  refused({"gemm", "2147483648", "8", "64"}, "more than the kernel's parameter holds");
}

TEST_F(Launcher, BadArgumentsAreSaid) {
  for (const auto& [word, why] :
       {std::pair<std::string, std::string>{"misaligned", "b is not aligned to 256 bytes"},
        {"null", "c is null"},
        {"small", "the workspace has"}}) {
    const std::string out = run({word, "1024", "512", "256"});
    EXPECT_NE(out.find("status 2 " + std::string(word == "small" ? "" : why)), std::string::npos) << out;
    EXPECT_NE(out.find(why), std::string::npos) << out;
    EXPECT_EQ(out.find("launch "), std::string::npos) << out;
  }
}

}  // namespace
}  // namespace kgen::exporting
