#include <map>
#include <span>

#include "compile_cubin.hpp"
#include "util/embedded.hpp"

namespace kgen::embedded {
std::span<const util::EmbeddedFile> gpu_test_kernels();
}

namespace kgen::test {

const std::string& test_cubin(const std::string& name) {
  static std::map<std::string, std::string> cubins;
  for (const util::EmbeddedFile& file : embedded::gpu_test_kernels()) {
    if (cubins.count(name) == 0 && file.name == "kernels/" + name + ".cu")
      cubins[name] = compile_cubin(file.text);
  }
  return cubins.at(name);
}

}  // namespace kgen::test
