// NVRTC keeps memory to the process's end; LeakSanitizer, where a test is built with it, shall not report
// that.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libnvrtc\n";
}
