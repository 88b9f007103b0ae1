#include "harness/profile/profile_main.hpp"

#include "harness/profile/profile_role.hpp"
#include "harness/run/run_main.hpp"
#include "util/json.hpp"

namespace kgen::profile {

int profile_main(int fd) {
  ProfileRole role;
  run::serve(fd, [&](const run::Frame& frame, const nlohmann::json& request) {
    return role.answer(frame, request);
  });
}

}  // namespace kgen::profile
