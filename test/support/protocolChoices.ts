import { type ProtocolSetting, protocolFor, type ProtocolChoice } from '../../src/relay/protocol.ts';

/** What is decided for all models of a relay that serves them by the messages protocol, and which of them fell back. */
export function messagesServed(setting: ProtocolSetting = 'auto'): ProtocolChoice & { fallen: string[] } {
  const fallen: string[] = [];
  return {
    fallen,
    of: (modelId) => protocolFor(setting, 'messages', fallen.includes(modelId)),
    fellBack: (modelId) => void fallen.push(modelId),
  };
}
