#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llm/client.hpp"
#include "util/error.hpp"

namespace kgen::llm {

struct ExecSettings {
  std::string command;  ///< run by /bin/sh -c; prompt on stdin, reply on stdout
  std::string model;    ///< a label for the record
  double total_timeout_s = 3600;
  std::vector<std::string> secrets;  ///< never part of a message
};

/// Any command as a model. It sees KGEN_CANDIDATE (the candidate's number) and KGEN_MODEL in its environment.
/// An exit code other than 0 is a provider error with the last lines of its stderr. Errors: bad_input where
/// command is empty.
Result<std::unique_ptr<Client>> make_exec_client(ExecSettings settings);

}  // namespace kgen::llm
