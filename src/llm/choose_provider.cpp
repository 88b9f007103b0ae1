#include <algorithm>
#include <cstdlib>

#include "llm/provider_config.hpp"
#include "util/text.hpp"

namespace kgen::llm {
Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') return std::nullopt;
    return value;
  };
}

std::vector<std::string> provider_names() {
  return {"anthropic", "openai", "openai-chat", "exec", "manual", "replay"};
}

Result<std::string> choose_provider(const ProviderConfig& config, const Environment& environment) {
  const std::vector<std::string> known = provider_names();
  if (!config.provider.empty()) {
    if (std::find(known.begin(), known.end(), config.provider) != known.end()) return config.provider;
    return fail(ErrorKind::bad_input, "unknown model provider \"" + config.provider + "\"",
                "choose one of " + util::join(known));
  }
  if (!config.base_url.empty() || !config.api_key_env.empty()) return "openai-chat";
  const bool anthropic = environment("ANTHROPIC_API_KEY") || environment("ANTHROPIC_BASE_URL");
  const bool openai_server = environment("OPENAI_BASE_URL").has_value();
  const bool openai = environment("OPENAI_API_KEY") || openai_server;
  if (anthropic && openai) {
    return fail(ErrorKind::provider, "two model providers could be meant: variables of both are set",
                "say which: --provider anthropic or --provider " +
                    std::string(openai_server ? "openai-chat" : "openai"));
  }
  if (anthropic) return "anthropic";
  if (openai) return openai_server ? "openai-chat" : "openai";
  return fail(
      ErrorKind::provider,
      "no model provider: none is configured, and neither ANTHROPIC_API_KEY nor OPENAI_API_KEY is set",
      "set one of them; or use --provider openai-chat with a base URL (vLLM, llama.cpp, Ollama, a "
      "gateway), --provider exec with a command, --provider manual to paste replies; "
      "--provider replay shows a recorded run without any model");
}

}  // namespace kgen::llm
