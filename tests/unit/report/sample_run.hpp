#pragma once

#include "report/report_run.hpp"

namespace kgen::test {

/// A finished run of softmax on a device with times: candidate 1 does not compile, 2 repairs it, 3 refines 2,
/// was promoted after a sweep of its variants and is the best.
report::ReportRun sample_run();

/// The same with `count` candidates, each with a prompt, a reply, a kernel, a screen and a sweep as large as
/// real ones.
report::ReportRun large_run(int count);

/// Text that would run, format or break out, were it put into a page, a script or Markdown as it is.
inline constexpr const char* kHostile =
    "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
    " | `x` ```\n# [a](javascript:alert(1)) @everyone <!-- \u2028 \u202e & ' \" ${1} {{data}} ]]>";

/// The sample with that text in every place that a model, a kernel, an op's author, a server or a reviewer
/// fills.
report::ReportRun hostile_run();

}  // namespace kgen::test
