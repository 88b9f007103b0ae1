#include "cli/kernel_file.hpp"

#include <filesystem>

#include "core/protocol.hpp"
#include "util/file.hpp"

namespace kgen::cli {

Result<std::string> read_kernel(const std::string& file) {
  std::error_code unreadable;  // read_file says why
  if (std::filesystem::file_size(file, unreadable) > core::kMostSourceBytes && !unreadable)
    return fail(ErrorKind::bad_input, file + " is larger than 4 MiB, more than any kernel",
                "is it the right file?");
  KGEN_TRY(std::string source, util::read_file(file, core::kMostSourceBytes));
  if (source.find_first_not_of(" \t\r\n") == std::string::npos)
    return fail(ErrorKind::bad_input, file + " is empty",
                "give a CUDA C++ file that begins with its launch plan, /*kgen {...} */");
  return source;
}

}  // namespace kgen::cli
