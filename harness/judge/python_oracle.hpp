#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/judge/oracle.hpp"
#include "harness/judge/python_server.hpp"

namespace kgen::judge {

/// A file that defines forward(INPUTS, ATTRIBUTES), as an op's reference.py does.
struct PythonFile {
  std::string key;   ///< tells it from every other one
  std::string name;  ///< in messages: "my_op/reference.py"
  std::string text;
  int device = -1;  ///< of CUDA, where a torch that has it may compute on the judge's memory; -1: on the CPU
};

/// An op's reference.py in a python process of its own, which shares memory with the judge and nothing else:
/// the host's, or the GPU's where both have one. It runs with the user's rights, as any Python of theirs
/// does.
class PythonOracle {
 public:
  /// Errors: missing (no interpreter or package, Python switched off), bad_input where the file does not
  /// load, in Python's words.
  static Result<std::unique_ptr<PythonOracle>> start(const std::string& python, const PythonFile& file);
  ~PythonOracle();

  /// What forward() gives for a case: inputs as float64, int64 or bool, made on the host bit for bit as the
  /// device makes them. Outputs that it leaves hold `poison` in every byte. Errors: bad_input where it
  /// raises, gives another shape or dtype, dies or takes longer than `limit` (then it is ended).
  Result<std::vector<ExpectedOutput>> expect(const core::Task& task,
                                             const std::vector<core::TensorFacts>& tensors,
                                             const InputCase& input, unsigned char poison,
                                             std::chrono::milliseconds limit);
  /// Whether its file imports a torch that computes on the judge's GPU.
  bool has_device() const { return has_device_; }
  /// As expect(), but inputs are made on the device and cast there by torch, and what is expected becomes
  /// that of the device's `set`: nothing goes through the host. Where forward() cannot compute on the GPU its
  /// process does on the CPU, if the inputs are not too large for that; place() says so. Errors: missing, "no
  /// room on the device for ...".
  Status expect_on(ExecutionDevice& device, int set, const core::Task& task,
                   const std::vector<core::TensorFacts>& tensors, const InputCase& input,
                   unsigned char poison, std::chrono::milliseconds limit);
  /// Where forward() ran last: "CPU", "cuda:0", "CPU (why not on cuda:0)".
  const std::string& place() const { return place_; }
  /// Device memory that expect_on() needed for a task beside the set and what is expected of it; 0: not
  /// known.
  I64 device_bytes(const core::Task& task) const;

  /// Whether it was ended: a fresh one is needed.
  bool spent() const { return broken_ || !server_.failure().empty(); }
  int process_id() const { return server_.process_id(); }

 private:
  PythonOracle(PythonServer server, util::FileDescriptor memory, std::string file);
  Status grow(std::size_t bytes);
  Result<nlohmann::json> ask(const nlohmann::json& request, std::chrono::milliseconds limit);
  Status compute_on(ExecutionDevice& device, const core::Task& task,
                    const std::vector<core::TensorFacts>& tensors, const InputCase& input,
                    std::chrono::milliseconds limit);
  Status store_on(ExecutionDevice& device, int set, const core::Task& task,
                  const std::vector<core::TensorFacts>& tensors, unsigned char poison);

  PythonServer server_;
  util::FileDescriptor memory_;
  std::byte* mapped_ = nullptr;
  std::size_t bytes_ = 0;
  std::string file_;  ///< "my_op/reference.py"
  std::string host_place_ = "CPU", place_ = host_place_;
  bool has_device_ = false, ran_on_device_ = false;
  bool broken_ = false;  ///< its CUDA context has failed, or it holds results that nobody takes
  std::map<std::string, I64> device_bytes_;  ///< by task_key()
};

/// The oracles of a worker, by their files' keys: each is started when it is first needed, and anew when it
/// was ended.
struct PythonOracles {
  std::string python = "python3";  ///< "none": switched off
  int device = -1;                 ///< the judge's, of CUDA; -1: none
  std::map<std::string, std::unique_ptr<PythonOracle>> by_key{};
};

/// Whether the op's oracle is its reference.py.
bool has_python_oracle(const core::Op& op);

/// PythonOracle::device_bytes() of the op's reference.py; 0 where it is not known, or does not compute there.
I64 oracle_device_bytes(const PythonOracles* oracles, const core::Task& task);

/// The running oracle of a file. Errors: as PythonOracle::start; missing where `oracles` is null.
Result<PythonOracle*> python_oracle_of(PythonOracles* oracles, const PythonFile& file);
/// The same of an op's reference.py.
Result<PythonOracle*> python_oracle_of(PythonOracles* oracles, const core::Op& op);

}  // namespace kgen::judge
