import { invalidParam, refusal } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import type { StoredDataset, Technique } from './storedDataset.ts';
import { invalidFields } from './validation.ts';

/** The named embedding model, or the first that works; refuses when there is none. */
export function checkEmbedding(
  { embeddingModels }: PlatformContext,
  wanted: {
    embedding_model?: string | null | undefined;
    embedding_model_provider?: string | null | undefined;
  },
): { model: string; provider: string } {
  const usable = embeddingModels.filter(({ status = 'active' }) => status === 'active');
  const { embedding_model: model, embedding_model_provider: provider } = wanted;
  const found = model ? usable.find((one) => one.model === model && one.provider === provider) : usable[0];
  if (found) return found;
  throw refusal(
    400,
    'provider_not_initialize',
    'No Embedding Model available. Please configure a valid provider in the Settings -> Model Provider.',
  );
}

/** Refuses a reranking model that is not set up, in the words of the server's source. */
export function checkReranking(
  { rerankModels }: PlatformContext,
  wanted: {
    reranking_enable: boolean;
    reranking_mode?: string | null | undefined;
    reranking_model?:
      | {
          reranking_provider_name?: string | null | undefined;
          reranking_model_name?: string | null | undefined;
        }
      | null
      | undefined;
  },
): void {
  const { reranking_provider_name: provider, reranking_model_name: model } = wanted.reranking_model ?? {};
  if (!wanted.reranking_enable || wanted.reranking_mode === 'weighted_score' || !model) return;
  const found = rerankModels.find((one) => one.model === model && one.provider === provider);
  if (found && found.status !== 'no-configure') return;
  throw refusal(400, 'provider_not_initialize', `Model ${model} credentials is not initialized.`);
}

/** The technique for a document; the refusals differ by version and by route. */
export function readTechnique(
  { version, techniques }: PlatformContext,
  dataset: StoredDataset,
  sent: unknown,
  route: 'text' | 'file',
): Technique {
  if (sent === undefined || sent === null) {
    if (!dataset.technique) throw invalidParam('indexing_technique is required.');
    if (route === 'file') return dataset.technique;
    throw invalidFields(version, 'KnowledgeConfig', [
      { field: 'indexing_technique', reason: 'Field required', type: 'missing', input: {} },
    ]);
  }
  const known = techniques.find((technique) => technique === sent);
  if (known) return known;
  if (route === 'file' && !version.isAtLeast('1.8')) throw invalidParam('Indexing technique is invalid');
  const reason = `Input should be ${techniques.map((technique) => `'${technique}'`).join(' or ')}`;
  const mistake = { field: 'indexing_technique', reason, type: 'literal_error', input: sent } as const;
  // The file route checks with the newest framework in all of these versions.
  const shape = route === 'file' ? { ...version, isAtLeast: () => true } : version;
  throw invalidFields(shape, 'KnowledgeConfig', [mistake]);
}
