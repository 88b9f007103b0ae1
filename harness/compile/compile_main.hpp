#pragma once

namespace kgen::compile {

/// The compile role of kgen-worker. `message_fd` is a stream socket to the pool, one JSON object a line each
/// way:
///   in   {"scratch": FOLDER, "roots": [toolkit folders], "usual_places": bool, "memory_bytes": n}   once
///   out  {"ready": true, "nvrtc": "13.0", "library": PATH, "sandbox": {...}}  or  {"error": {"message",
///   "hint"}} in   a CompileRequest    out  a CompileResult, for each, in order
/// Returns the process's exit code once the other end closes.
int compile_main(int message_fd);

}  // namespace kgen::compile
