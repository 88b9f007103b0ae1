// The types of streamed requests, as the official SDKs have them.
export type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages/messages";
export type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
export type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions/completions";
