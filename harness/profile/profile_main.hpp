#pragma once

namespace kgen::profile {

/// The profile role of kgen-worker: a run process with CUPTI in it. Answers requests on `fd`.
int profile_main(int fd);

}  // namespace kgen::profile
