#pragma once

#include <memory>

#include "harness/judge/oracle.hpp"
#include "harness/judge/python_oracle.hpp"

namespace kgen::judge {

/// An op's oracle at one task, where it may be wrong: reference.cu runs as a candidate does, in a process of
/// its own on a GPU and byte by byte on the emulator, on buffers of its own; reference.py in its python
/// process, which may share the GPU. A fault or a hang ends it alone.
class OracleTrial {
 public:
  /// Compiles and loads it. Errors: bad_input where the reference does not compile or does not fit the
  /// specification, naming its file; missing where the device or memory does.
  static Result<OracleTrial> open(const Workplace& workplace, const core::Task& task,
                                  run::Milliseconds limit);

  /// What it makes of a case over outputs and workspaces that hold `poison`. Errors: bad_input where it
  /// faults, hangs, or writes where it must not; missing where the world fails.
  Result<std::vector<ExpectedOutput>> run(const InputCase& input, unsigned char poison);

  /// What an element holds that a run over `poison` never wrote, by output in the order of run().
  double untouched(std::size_t output, unsigned char poison) const;

  /// Where reference.py ran last: "CPU", "cuda:0"; empty of a reference.cu.
  std::string python_place() const { return python_ == nullptr ? "" : python_->place(); }
  /// Ends the process and gives all buffers of the device back.
  void close();

 private:
  Result<std::vector<double>> read(const std::string& buffer);
  Result<std::vector<ExpectedOutput>> run_python_on_device(const InputCase& input, unsigned char poison);
  Status check_surroundings(const InputCase& input, U64 inputs);

  ExecutionDevice* device_ = nullptr;
  core::Task task_;
  std::vector<core::TensorFacts> tensors_;  ///< the task's own
  OracleProgram program_;
  std::unique_ptr<Runner> runner_;
  PythonOracle* python_ = nullptr;  ///< in place of all that runs on the device
  bool on_device_ = false;          ///< it computes on the device's memory
  int set_ = 0;
  run::Milliseconds limit_{20000};
};

}  // namespace kgen::judge
