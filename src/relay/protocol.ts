/** How a model is spoken to: the service's own protocol, or that of Anthropic's models. */
export type Protocol = 'chat-completions' | 'messages';

/** `auto`: as the relay's list says of each model. */
export type ProtocolSetting = Protocol | 'auto';

/** Which protocol each model of a relay is asked by, and what was found out about it. */
export interface ProtocolChoice {
  /** `isCertain`: the user wants no other one. */
  of(modelId: string): { protocol: Protocol; isCertain: boolean };
  /** The model answered by chat completions after its relay had failed by messages. */
  fellBack(modelId: string): void;
}

export const chatCompletionsOnly: ProtocolChoice = {
  of: () => ({ protocol: 'chat-completions', isCertain: true }),
  fellBack: () => undefined,
};

/**
 * What the setting and the facts about a model come to. A relay that only half speaks the messages protocol is asked by
 * chat completions, which any of them speaks, unless the user named the protocol for all models.
 */
export function protocolFor(
  setting: ProtocolSetting,
  served: Protocol | undefined,
  hasFallenBack: boolean,
): ReturnType<ProtocolChoice['of']> {
  if (setting !== 'auto') return { protocol: setting, isCertain: true };
  return { protocol: hasFallenBack || !served ? 'chat-completions' : served, isCertain: false };
}
