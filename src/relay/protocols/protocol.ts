/** The service's own protocol, Anthropic's, or OpenAI's newer one. */
export type Protocol = 'chat-completions' | 'messages' | 'responses';

export type ProtocolSetting = Protocol | 'auto';
