#pragma once

namespace kgen::judge {

/// The judge role of kgen-worker: answers requests on what were stdin and stdout when it started, until stdin
/// closes. Whatever else is written to stdout goes to stderr. When nobody reads its answers any more it ends
/// at once; its children end with it. Returns the exit code.
int judge_main();

}  // namespace kgen::judge
