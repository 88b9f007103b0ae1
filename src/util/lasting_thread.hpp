#pragma once

#include <functional>

namespace kgen::util {

/// Runs `work` on a thread that lives as long as this process, and waits for its end. Exceptions come
/// through.
void run_on_lasting_thread(const std::function<void()>& work);

}  // namespace kgen::util
