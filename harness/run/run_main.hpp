#pragma once

namespace kgen::run {

/// The run role of kgen-worker: answers requests on `fd` until the judge closes it or a candidate's kernel
/// ends the context. Returns the exit code.
int run_main(int fd);

}  // namespace kgen::run
