#include "agent/agent_loop.hpp"

#include <utility>
#include <variant>

#include "agent/search.hpp"
#include "agent/session.hpp"

namespace kgen::agent {

// The whole of kgen in one loop: what was found so far decides what is asked next; a reply becomes a
// candidate, the judge's evaluation of it becomes part of the state, and the state is what the next prompt is
// built from.
Result<core::Finished> run_search(const LoopInputs& inputs) {
  Session session(inputs);
  KGEN_CHECK(session.begin());
  while (!session.state().finished) {
    if (inputs.cancelled && inputs.cancelled()) {
      return tl::unexpected(
          session.wind_up({ErrorKind::interrupted, "interrupted", "`kgen resume` goes on"}));
    }
    const SearchStep step = next_step(session.state());
    const Status done = std::visit([&](const auto& chosen) { return session.perform(chosen); }, step);
    if (!done) return tl::unexpected(session.wind_up(done.error()));
  }
  return *session.state().finished;
}

}  // namespace kgen::agent
