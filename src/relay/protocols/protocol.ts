export type Protocol = 'chat-completions' | 'messages' | 'responses';

export type ProtocolSetting = Protocol | 'auto';
