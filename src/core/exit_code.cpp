#include "core/exit_code.hpp"

namespace kgen::core {

ExitCode exit_code_for(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return ExitCode::internal;
    case ErrorKind::bad_input:
      return ExitCode::usage;
    case ErrorKind::provider:
      return ExitCode::provider;
    case ErrorKind::missing:
      return ExitCode::missing;
    case ErrorKind::waiting:
      return ExitCode::waiting;
    case ErrorKind::interrupted:
      return ExitCode::interrupted;
  }
  return ExitCode::internal;
}

}  // namespace kgen::core
