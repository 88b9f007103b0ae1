#pragma once

#include <memory>
#include <string>

#include "llm/client.hpp"

namespace kgen::llm {

/// A person, or a model that kgen cannot call. ask() puts prompt.md into the candidate's folder (one that is
/// there stays as it is) and gives the text of reply.md beside it; where that is missing or empty, an error
/// of kind waiting.
std::unique_ptr<Client> make_manual_client(std::string model);

}  // namespace kgen::llm
