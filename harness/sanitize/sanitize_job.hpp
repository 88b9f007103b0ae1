#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/run/launch_sequence.hpp"
#include "util/error.hpp"

namespace kgen::sanitize {

/// A tensor or workspace, allocated in its exact size. Without data it stays uninitialised.
struct JobBuffer {
  std::string name;
  std::int64_t bytes = 0;
  std::string data;  ///< `bytes` of them, or empty
};

/// One execution of a plan.
struct JobCase {
  std::string title;  ///< "rows=5,cols=1023"
  std::size_t program = 0;
  run::LaunchSequence sequence;
  std::vector<JobBuffer> buffers;
};

struct JobProgram {
  std::string cubin;
  std::vector<run::KernelToLoad> kernels;
};

/// All that a one-shot runner does under a tool.
struct Job {
  int device = 0;
  std::vector<JobProgram> programs;
  std::vector<JobCase> cases;
};

/// Writes job.json and job.bin (cubins and data, one behind the other) into a folder.
Status write_job(const std::filesystem::path& folder, const Job& job);
/// Errors: bad_input where the files are not as write_job leaves them.
Result<Job> read_job(const std::filesystem::path& folder);

}  // namespace kgen::sanitize
