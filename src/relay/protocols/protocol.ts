/** The service's own protocol, that of Anthropic's models, or OpenAI's newer one. */
export type Protocol = 'chat-completions' | 'messages' | 'responses';

export type ProtocolSetting = Protocol | 'auto';
