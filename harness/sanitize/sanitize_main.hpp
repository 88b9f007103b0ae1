#pragma once

namespace kgen::sanitize {

/// The role `sanitize`, run under a tool of compute-sanitizer: executes the job of the folder above the
/// working folder once and writes the number of cases that came to their end into the file `done` of the
/// working folder. Buffers are allocated in their exact sizes, without guards or poison; no kernel but the
/// candidate's is launched. Exit code 0 where every case ended, 1 where one did not, 5 where there is no
/// device.
int sanitize_main();

}  // namespace kgen::sanitize
