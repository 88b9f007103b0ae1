#pragma once

namespace kgen::util {

/// Installs handlers for SIGINT and SIGTERM that set a flag (a second signal ends the process with code 130),
/// and ignores SIGPIPE. Call once, from main.
void install_interrupt_handlers();
/// True once SIGINT or SIGTERM came.
bool interrupted();

}  // namespace kgen::util
