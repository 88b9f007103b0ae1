#include "harness/judge/python_oracle.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/judge/device_source.hpp"
#include "harness/judge/python_arrays.hpp"
#include "harness/judge/rules.hpp"
#include "util/json.hpp"

namespace kgen::judge {

using nlohmann::json;
using std::chrono::milliseconds;

namespace {

constexpr int kMemoryFd = 4;
/// Importing torch from a cold disk takes its time; the server ends sooner what is the file's own doing, but
/// for what no signal interrupts.
constexpr milliseconds kLoadLimit{120'000};
constexpr const char* kHint = "the interpreter is chosen with --python; it needs numpy or torch";

/// One array in the shared memory: 8 bytes an element, float64 or int64.
struct Place {
  std::size_t offset = 0, count = 0;
};

/// Lays arrays out one behind the other.
class Layout {
 public:
  /// Gives the array its offset.
  Place add(json& array) {
    const Place place{bytes_, array.at("count").get<std::size_t>()};
    array["offset"] = place.offset;
    bytes_ += place.count * sizeof(double);
    return place;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

/// Values of an input as the device has them, into the memory at `place`.
void write_input(std::byte* memory, const Place& place, const core::TensorFacts& tensor,
                 const FillParams& params) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes));
  fill_on_host(bytes.data(), params, tensor.elements);
  const auto values = decode_on_host(bytes.data(), params.dtype, tensor.elements);
  if (values.empty()) return;
  if (core::facts_of(tensor.dtype).is_float) {
    std::memcpy(memory + place.offset, values.data(), values.size() * sizeof(double));
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto whole = static_cast<std::int64_t>(values[i]);
    std::memcpy(memory + place.offset + i * sizeof whole, &whole, sizeof whole);
  }
}

std::vector<double> read_output(const std::byte* memory, const Place& place) {
  std::vector<double> values(place.count);
  if (!values.empty()) std::memcpy(values.data(), memory + place.offset, place.count * sizeof(double));
  return values;
}

/// Its process has ended or was silent before the file had run: not a Python, perhaps.
Error while_loading(Error error) {
  error.message += " while it was loaded";
  if (error.hint.empty()) error.hint = kHint;
  return error;
}

}  // namespace

PythonOracle::PythonOracle(PythonServer server, util::FileDescriptor memory, std::string file)
    : server_(std::move(server)), memory_(std::move(memory)), file_(std::move(file)) {}

PythonOracle::~PythonOracle() {
  if (mapped_ != nullptr) munmap(mapped_, bytes_);
}

Result<std::unique_ptr<PythonOracle>> PythonOracle::start(const std::string& python, const PythonFile& file) {
  if (python == "none")
    return fail(ErrorKind::missing, file.name + " is to run, and Python is switched off",
                "name one with --python");
  util::FileDescriptor memory(memfd_create("kgen-oracle", MFD_CLOEXEC));
  if (!memory.is_open())
    return fail(ErrorKind::missing, "no shared memory for " + file.name + ": " + util::system_reason(errno));
  PythonProgram program{
      "oracle_server.py", oracle_server_source(), file.name, {std::to_string(kMemoryFd)}, {}};
  program.fds = {{kMemoryFd, memory.get()}};
  program.modules = module_library();
  KGEN_TRY(auto server, PythonServer::start(python, program));
  std::unique_ptr<PythonOracle> oracle(new PythonOracle(std::move(server), std::move(memory), file.name));
  auto answer = oracle->ask(
      {{"command", "load"}, {"name", file.name}, {"text", file.text}, {"device", file.device}}, kLoadLimit);
  if (!answer && !oracle->server_.failure().empty()) answer = answer.map_error(while_loading);
  KGEN_TRY(const json loaded, std::move(answer));
  oracle->has_device_ = loaded.value("on_device", false);
  if (const auto why = loaded.value("why_not", ""); !why.empty()) oracle->host_place_ = "CPU (" + why + ")";
  return oracle;
}

/// What went wrong is the reference's doing, be it an answer, an end or silence, and names its file; but for
/// a package that is not there.
Result<json> PythonOracle::ask(const json& request, milliseconds limit) {
  auto answer = server_.ask(request, limit);
  if (answer) return answer;
  std::string message = answer.error().message;
  const std::string twice = file_ + ": " + file_;
  if (message.starts_with(twice)) message = message.substr(file_.size() + 2);
  const bool module = message.find("ModuleNotFoundError") != std::string::npos ||
                      message.find("neither numpy nor torch") != std::string::npos;
  if (module) return fail(ErrorKind::missing, std::move(message), kHint);
  for (const char* broken : {"CUDA error", "CUDA driver error", "CUBLAS_STATUS", "CUDNN_STATUS"})
    broken_ = broken_ || message.find(broken) != std::string::npos;
  if (message.find("no room on the device") != std::string::npos)
    return fail(ErrorKind::missing, std::move(message), kRoomHint);
  return fail(ErrorKind::bad_input, std::move(message));
}

Status PythonOracle::grow(std::size_t bytes) {
  bytes = std::max<std::size_t>(bytes, 4096);
  if (bytes <= bytes_) return {};
  if (mapped_ != nullptr) munmap(mapped_, bytes_);
  mapped_ = nullptr;
  bytes_ = 0;
  if (ftruncate(memory_.get(), static_cast<off_t>(bytes)) != 0)
    return fail(ErrorKind::missing, "shared memory for " + file_ + ": " + util::system_reason(errno));
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_.get(), 0);
  if (mapped == MAP_FAILED)
    return fail(ErrorKind::missing, "shared memory for " + file_ + ": " + util::system_reason(errno));
  mapped_ = static_cast<std::byte*>(mapped);
  bytes_ = bytes;
  return {};
}

Result<std::vector<ExpectedOutput>> PythonOracle::expect(const core::Task& task,
                                                         const std::vector<core::TensorFacts>& tensors,
                                                         const InputCase& input, unsigned char poison,
                                                         milliseconds limit) {
  Layout layout;
  std::vector<Place> inputs(tensors.size());
  json request = oracle_request("run", task);
  request["inputs"] = json::array();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role == core::Role::output) continue;
    json array = describe_array(tensors[i].name, tensors[i], kind_of(tensors[i].dtype));
    inputs[i] = layout.add(array);
    request["inputs"].push_back(std::move(array));
  }
  const std::size_t outputs_begin = layout.bytes();
  const auto wanted = oracle_outputs(task);
  request["outputs"] = describe_outputs(wanted, tensors);
  std::vector<Place> written;
  for (json& array : request["outputs"]) written.push_back(layout.add(array));
  KGEN_CHECK(grow(layout.bytes()));
  request["bytes"] = bytes_;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].role != core::Role::output)
      write_input(mapped_, inputs[i], tensors[i],
                  fill_params(*input.distribution, tensors[i], i, input.seed));
  }
  std::memset(mapped_ + outputs_begin, poison, layout.bytes() - outputs_begin);
  KGEN_TRY(const json ran, ask(request, limit));
  place_ = host_place_;
  std::vector<ExpectedOutput> expected;
  std::size_t scale = wanted.size();  // scales lie behind all values
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    expected.push_back({wanted[k].output, read_output(mapped_, written[k]), {}});
    if (!wanted[k].scale.empty()) expected.back().scale = read_output(mapped_, written[scale++]);
  }
  return expected;
}

bool has_python_oracle(const core::Op& op) {
  return op.reference_cu.empty() && !op.reference_py.empty();
}

namespace {

/// Each that computes on the device keeps a context and some memory there: one is enough.
void end_others_on_device(PythonOracles& oracles, const std::string& key) {
  std::erase_if(oracles.by_key, [&](const auto& entry) {
    return entry.first != key && entry.second && entry.second->has_device();
  });
}

}  // namespace

Result<PythonOracle*> python_oracle_of(PythonOracles* oracles, const PythonFile& file) {
  if (oracles == nullptr) return fail(ErrorKind::missing, file.name + " is to run, and no Python runs here");
  if (file.device >= 0) end_others_on_device(*oracles, file.key);
  auto& oracle = oracles->by_key[file.key];
  if (!oracle || oracle->spent()) {
    oracle.reset();
    KGEN_TRY(oracle, PythonOracle::start(oracles->python, file));
  }
  return oracle.get();
}

Result<PythonOracle*> python_oracle_of(PythonOracles* oracles, const core::Op& op) {
  const int device = oracles == nullptr ? -1 : oracles->device;
  return python_oracle_of(oracles, PythonFile{op.hash, op.name + "/reference.py", op.reference_py, device});
}

}  // namespace kgen::judge
