import * as l10n from '@vscode/l10n';
import type { Clients } from '../../connections/clients.ts';
import type { RelayAccess } from '../../connections/relayConnections.ts';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { type ConnectedRelays, placeOf } from '../../relay/relayModelId.ts';
import type { Surroundings } from './suggestionPlace.ts';

/** About ten lines. */
const suggestionTokens = 128;

export interface Completion {
  text: string;
  isCut: boolean;
}

/** @param isUnasked fails with `budget` where the user would have to be asked */
export type AskSuggestion = (
  code: Surroundings,
  signal: AbortSignal,
  isUnasked?: boolean,
) => Promise<Completion>;

/** Throws a `SwitchboardError`. The relay is looked up for each request. */
export function suggestionAsker(
  relays: ConnectedRelays<RelayAccess> & { readonly ready: Promise<unknown> },
  clients: Pick<Clients, 'completions'>,
  modelId: string,
): AskSuggestion {
  return async ({ before, after }, signal, isUnasked = true) => {
    await relays.ready;
    const { access, id: model } = placeOf(relays, modelId);
    if (!access) throw new SwitchboardError('key', l10n.t('No relay is connected.'));
    const ask = await clients.completions(access);
    signal.throwIfAborted();
    const completion = { text: '', isCut: false };
    const request = {
      ...{ model, stream: false, maxTokens: suggestionTokens, temperature: 0 },
      messages: [before, after].map((content) => ({ role: 'user', content }) as const),
      ...(isUnasked && { isUnasked }),
    };
    await ask(request, signal, (event) => {
      if (event.type === 'textAdded') completion.text += event.text;
      if (event.type === 'modelFinished') completion.isCut = event.reason === 'length';
    });
    return completion;
  };
}
