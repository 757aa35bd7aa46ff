import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import { formatDuration } from '../base/text/formatTime.ts';
import type { PlatformClient } from '../platform/platformClient.ts';
import type { Dataset } from '../platform/records.ts';
import type { Finding, Step } from './step.ts';

/** Knowledge bases to check; the most recently used come first. */
const mostBases = 5;
const mostDocuments = 100;
/** Time by which a working queue takes up a document. */
const longWaitMs = 3 * 60_000;

export function platformSteps(client: PlatformClient | undefined, nowMs: () => number): Step[] {
  if (!client) {
    const none = async (): Promise<Finding> => ({
      verdict: 'skipped',
      text: l10n.t('No knowledge base key is saved for this address.'),
    });
    return (['key', 'embeddings', 'queue'] as const).map((name) => ({ name, run: none }));
  }
  let bases: readonly Dataset[] = [];
  let isScoped = false;
  const unlisted: Finding = {
    verdict: 'skipped',
    text: l10n.t("A key made for some knowledge bases can't list them or models."),
  };
  return [
    {
      name: 'key',
      run: async (signal) => {
        const tested = await client.testConnection(signal);
        const { serverVersion } = client;
        if (tested === 'scoped') {
          isScoped = true;
          return {
            verdict: 'ok',
            text: l10n.t(
              "The platform accepts the key, but doesn't let it list knowledge bases: it was probably made for some of them.",
            ),
          };
        }
        bases = await client.datasets.list(signal);
        return {
          verdict: 'ok',
          text: serverVersion
            ? l10n.t('The platform (version {0}) accepts the knowledge base key.', serverVersion)
            : l10n.t('The platform accepts the knowledge base key.'),
        };
      },
    },
    {
      name: 'embeddings',
      isOptional: true,
      run: async (signal) => (isScoped ? unlisted : tryEmbeddings(client, bases, signal)),
    },
    {
      name: 'queue',
      isOptional: true,
      run: async (signal) => (isScoped ? unlisted : lookAtQueue(client, bases, nowMs, signal)),
    },
  ];
}

async function tryEmbeddings(
  client: PlatformClient,
  bases: readonly Dataset[],
  signal: AbortSignal,
): Promise<Finding> {
  const broken = bases.filter(({ isEmbeddingAvailable }) => isEmbeddingAvailable === false);
  if (broken.length > 0) {
    return {
      verdict: 'warning',
      text: plural(
        broken.length,
        l10n.t('The embedding model of 1 knowledge base is not available.'),
        l10n.t('The embedding models of {0} knowledge bases are not available.', formatNumber(broken.length)),
      ),
      advice: l10n.t('Set up their embedding model on the platform, or contact its administrator.'),
    };
  }
  // Without documents a search answers nothing before any model is asked.
  const searched = bases.find(
    ({ technique, documentCount, isExternal }) =>
      technique === 'high_quality' && documentCount !== 0 && !isExternal,
  );
  if (searched) {
    const { id, name, embeddingModel } = searched;
    await client.datasets.retrieve(id, { query: 'test', topK: 1, dataset: searched }, signal);
    return {
      verdict: 'ok',
      text: embeddingModel
        ? l10n.t('A search in "{0}" worked, with {1}.', name, embeddingModel)
        : l10n.t('A search in "{0}" worked.', name),
    };
  }
  const models = await client.models('text-embedding', signal);
  const active = models.filter(({ isActive }) => isActive).map(({ label }) => label);
  if (active.length > 0) {
    // The list is the server's cache, which stays full when no model answers.
    return {
      verdict: 'skipped',
      text: l10n.t('No high-quality knowledge base to search. Listed models: {0}', active.join(', ')),
    };
  }
  return {
    verdict: 'warning',
    text: l10n.t('The platform lists no embedding model.'),
    advice: l10n.t('Use keyword search (economical), or set up an embedding model on the platform.'),
  };
}

async function lookAtQueue(
  client: PlatformClient,
  bases: readonly Dataset[],
  nowMs: () => number,
  signal: AbortSignal,
): Promise<Finding> {
  const looked = bases.filter((base) => !base.isExternal && base.documentCount !== 0).slice(0, mostBases);
  if (looked.length === 0) {
    return { verdict: 'skipped', text: l10n.t('No knowledge base has documents.') };
  }
  const waiting: { createdAtMs?: number }[] = [];
  for (const { id } of looked) {
    const query = { page: 1, limit: mostDocuments };
    const { items } = await client.documents.list(id, query, signal);
    waiting.push(...items.filter(({ state }) => state === 'waiting'));
  }
  if (waiting.length === 0) return { verdict: 'ok', text: l10n.t('No document is waiting to be indexed.') };
  const oldestMs = Math.max(...waiting.map(({ createdAtMs = nowMs() }) => nowMs() - createdAtMs));
  const text = plural(
    waiting.length,
    l10n.t('1 document is waiting to be indexed.'),
    l10n.t('{0} documents are waiting to be indexed.', formatNumber(waiting.length)),
  );
  if (oldestMs < longWaitMs) return { verdict: 'ok', text };
  return {
    verdict: 'warning',
    text: `${text} ${l10n.t('The oldest was added {0} ago.', formatDuration(oldestMs, 'about'))}`,
    advice: l10n.t("If the number doesn't change, contact your platform administrator."),
  };
}
