#include "cli/kernel_file.hpp"

#include "core/protocol.hpp"
#include "util/file.hpp"

namespace kgen::cli {

Result<std::string> read_kernel(const std::string& file) {
  KGEN_TRY(std::string source, util::read_file(file, core::kMostSourceBytes));
  if (source.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorKind::bad_input, file + " is empty",
                "give a CUDA C++ file that begins with its launch plan, /*kgen {...} */");
  return source;
}

}  // namespace kgen::cli
