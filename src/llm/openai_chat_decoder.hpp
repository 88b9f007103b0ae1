#pragma once

#include <memory>

#include "llm/codec.hpp"

namespace kgen::llm {

/// Reads a Chat Completions body: a stream of chunks, or the one JSON object that some servers send to a
/// stream request. A finish_reason or [DONE] behind some text ends the reply; a stream without either is not
/// terminal.
std::unique_ptr<ReplyDecoder> make_openai_chat_decoder();

}  // namespace kgen::llm
