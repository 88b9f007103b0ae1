#pragma once

#include "config/config.hpp"
#include "llm/provider_config.hpp"

namespace kgen::cli {

llm::ProviderConfig provider_config(const config::Config& config);
llm::ModelOptions model_options(const config::Config& config);

}  // namespace kgen::cli
