#include <map>

#include "harness/run/run_process.hpp"

namespace kgen::run {

std::vector<std::string> changed_globals(const std::vector<GlobalVariable>& before,
                                         const std::vector<GlobalVariable>& after) {
  std::map<std::string, std::string> hashes;
  for (const GlobalVariable& variable : before) hashes[variable.name] = variable.hash;
  std::vector<std::string> out;
  for (const GlobalVariable& variable : after) {
    const auto it = hashes.find(variable.name);
    if (it == hashes.end() || it->second != variable.hash) out.push_back(variable.name);
    if (it != hashes.end()) hashes.erase(it);
  }
  for (const auto& [name, hash] : hashes) out.push_back(name);
  return out;
}

}  // namespace kgen::run
