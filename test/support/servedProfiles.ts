import { createProfiles, type ModelFacts, type ModelProfiles } from '../../src/relay/profile/modelFacts.ts';
import type { ProtocolSetting } from '../../src/relay/messages.ts';

export function servedProfiles(
  listed: ModelFacts,
  setting: ProtocolSetting = 'auto',
): ModelProfiles & { learnt: Map<string, ModelFacts> } {
  const learnt = new Map<string, ModelFacts>();
  const found = createProfiles();
  return {
    learnt,
    facts: (modelId) => ({ ...listed, ...found.facts(modelId) }),
    learn(modelId, facts, source) {
      learnt.set(modelId, { ...learnt.get(modelId), ...facts });
      found.learn(modelId, facts, source);
    },
    chosenProtocol: () => (setting === 'auto' ? undefined : setting),
  };
}

export function messagesServed(setting: ProtocolSetting = 'auto') {
  return servedProfiles({ protocol: 'messages' }, setting);
}
