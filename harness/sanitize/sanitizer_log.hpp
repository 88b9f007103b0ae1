#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kgen::sanitize {

/// A place in device code as the tool prints it: `KERNEL+0x90 in FILE:LINE`.
struct Place {
  std::string kernel;
  std::string file;  ///< without folders
  int line = 0;      ///< 0: not said
};

/// One thing that a tool of compute-sanitizer found.
struct Report {
  std::string heading;        ///< "Invalid __global__ read of size 4 bytes"
  std::string severity;       ///< racecheck's: "error", "warning", "info"; else empty
  std::vector<Place> places;  ///< where, innermost first; of a race both sides
  std::string thread;         ///< "thread (31,0,0) in block (4,0,0)"
  std::string address;        ///< "is out of bounds and is 1 bytes after the nearest allocation ..."
};

/// What a log says. The format is that of the Compute Sanitizer user manual (2021 to 2025), "Understanding
/// ... Errors"; lines that belong to nothing known are left out.
struct ToolLog {
  std::vector<Report> reports;
  bool finished = false;    ///< there is a summary: the tool saw the program's end
  std::int64_t errors = 0;  ///< of the summary
  std::vector<std::string>
      troubles;  ///< of the tool itself: launches it lost track of, a program that failed
};

ToolLog parse_log(std::string_view text);

/// `KERNEL+0x90 in FILE:LINE` or, of older versions, `0x90 in FILE:LINE:KERNEL`.
Place parse_place(std::string_view text);

}  // namespace kgen::sanitize
