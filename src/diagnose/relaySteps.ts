import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';
import { formatNumber, plural } from '../base/text/format.ts';
import type { Model, ModelEvent, ModelRequest } from '../relay/messages.ts';
import type { RelayClient } from '../relay/relayClient.ts';
import type { Finding, Step } from './step.ts';

export type TestedModel = { id: string } | { notAsked: string };

/** Token limit of each test request, announced beforehand. */
export const mostTokensAsked = 400;
const mostAnswerTokens = 256;

/** Steps for a reachable relay: key, model list, and two small requests. */
export function relaySteps(client: RelayClient | undefined, model: TestedModel): Step[] {
  if (!client) {
    const none = async (): Promise<Finding> => ({
      verdict: 'skipped',
      text: l10n.t('No key is saved for this address.'),
    });
    return (['key', 'models', 'token', 'toolCall'] as const).map((name) => ({ name, run: none }));
  }
  let models: readonly Model[] = [];
  const asking = (run: (id: string, signal: AbortSignal) => Promise<Finding>): Step['run'] =>
    'id' in model
      ? (signal) => run(model.id, signal)
      : async () => ({ verdict: 'skipped', text: model.notAsked });
  return [
    {
      name: 'key',
      run: async (signal) => {
        models = await client.listModels(signal);
        return { verdict: 'ok', text: l10n.t('The relay accepts the key.') };
      },
    },
    { name: 'models', run: async () => modelsFinding(models, 'id' in model ? model.id : undefined) },
    { name: 'token', isOptional: true, run: asking((id, signal) => streamToken(client, id, signal)) },
    { name: 'toolCall', isOptional: true, run: asking((id, signal) => callTool(client, id, signal)) },
  ];
}

function modelsFinding(models: readonly Model[], chosen: string | undefined): Finding {
  const text = plural(
    models.length,
    l10n.t('1 model for this key.'),
    l10n.t('{0} models for this key.', formatNumber(models.length)),
  );
  if (models.length === 0) {
    return {
      verdict: 'warning',
      text: l10n.t('The relay lists no models.'),
      advice: l10n.t('Type a model ID in the picker, or add it to the setting "switchboard.relay.models".'),
    };
  }
  if (chosen === undefined || models.some(({ id }) => id === chosen)) return { verdict: 'ok', text };
  return {
    verdict: 'warning',
    text: `${text} ${l10n.t('{0} is not among them.', chosen)}`,
    advice: l10n.t('Choose another model.'),
  };
}

/** Stops at the first piece: the step checks streaming and its latency. */
async function streamToken(client: RelayClient, model: string, signal: AbortSignal): Promise<Finding> {
  const request: ModelRequest = {
    model,
    messages: [{ role: 'user', content: 'Reply with the word "ready".' }],
    maxTokens: mostAnswerTokens,
    stream: true,
  };
  const isPiece = (event: ModelEvent) => event.type === 'textAdded' || event.type === 'reasoningAdded';
  if (await isAnsweredBy(isPiece, client, request, signal)) {
    return { verdict: 'ok', text: l10n.t('{0} answers.', model) };
  }
  return {
    verdict: 'warning',
    text: l10n.t('{0} returned an empty answer.', model),
    advice: l10n.t('Choose another model.'),
  };
}

const tool = {
  name: 'report_ready',
  description: 'Reports that tool calls work.',
  parameters: { type: 'object', properties: {} },
};

async function callTool(client: RelayClient, model: string, signal: AbortSignal): Promise<Finding> {
  const request: ModelRequest = {
    model,
    messages: [{ role: 'user', content: `Call the tool ${tool.name}.` }],
    tools: [tool],
    maxTokens: mostAnswerTokens,
    stream: true,
  };
  const isCall = (event: ModelEvent) =>
    event.type === 'toolCallsCompleted' && event.calls.some(({ name }) => name === tool.name);
  if (await isAnsweredBy(isCall, client, request, signal)) {
    return { verdict: 'ok', text: l10n.t('Tool calls work with {0}.', model) };
  }
  return {
    verdict: 'warning',
    text: l10n.t("{0} didn't call the tool.", model),
    advice: l10n.t('To work with files, choose a model that supports tools.'),
  };
}

/** No retries: a diagnosis shows failures, and a retry may cost again. */
async function isAnsweredBy(
  isWanted: (event: ModelEvent) => boolean,
  client: RelayClient,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<boolean> {
  let isFound = false;
  await client.ask(request, signal, (event) => {
    if (event.type === 'retryScheduled') throw new SwitchboardError('transient', event.why);
    isFound = isWanted(event);
    return isFound ? 'enough' : undefined;
  });
  return isFound;
}
