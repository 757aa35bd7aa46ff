import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { isCutJson, parseJson } from '../../base/json.ts';
import { maskExactly } from '../../base/secrets/maskAnswer.ts';
import { secretsOf } from '../headers.ts';
import type { Model } from '../messages.ts';
import { readModels } from './readModels.ts';
import { pricesInList, type Prices } from '../prices/readPrices.ts';
import { explainRefusedKey } from '../errors/refusedKey.ts';
import { getJson, readRefusal, refusalOf, type RelayContext } from '../relayCall.ts';

const maxListBytes = 32 * 1024 * 1024;

/** Throws a `SwitchboardError`, also for failures with status 200. Never retried: the user is waiting. */
export async function listModels(
  context: RelayContext,
  signal: AbortSignal,
): Promise<{ models: Model[]; prices: Prices }> {
  const { connection, log } = context;
  const response = await getJson(context, '/v1/models', signal);
  if (response.status !== 200) {
    throw await explainRefusedKey(context, await readRefusal(response, connection), signal);
  }
  const body = maskExactly(await response.text(maxListBytes), secretsOf(connection));
  const list = parseJson(body);
  const models = readModels(list);
  if (!models) throw isCutJson(body) ? cutOff(response.address) : refusalOf(response, body, connection);
  log.debug(`${models.length} models`);
  return { models, prices: pricesInList(list) };
}

function cutOff(address: string): SwitchboardError {
  return new SwitchboardError('truncated', l10n.t("The server's answer was cut off. Try again."), {
    address,
  });
}
