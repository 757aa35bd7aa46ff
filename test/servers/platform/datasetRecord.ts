import type { PlatformContext } from './platformContext.ts';
import type { StoredDataset } from './storedDataset.ts';
import { account, seconds } from './wireParts.ts';

export function datasetRecord({ store, embeddingModels }: PlatformContext, dataset: StoredDataset): object {
  const { documents, technique, embeddingModel, embeddingModelProvider } = dataset;
  return {
    id: dataset.id,
    name: dataset.name,
    description: dataset.description,
    provider: dataset.provider,
    permission: dataset.permission,
    data_source_type: documents.length > 0 ? 'upload_file' : null,
    indexing_technique: technique,
    app_count: 0,
    document_count: documents.length,
    word_count: documents.reduce((sum, document) => sum + (document.text?.length ?? 0), 0),
    created_by: account,
    author_name: 'sandbox',
    created_at: seconds(dataset.createdAt),
    updated_by: account,
    updated_at: seconds(dataset.updatedAt),
    embedding_model: embeddingModel,
    embedding_model_provider: embeddingModelProvider,
    embedding_available:
      technique !== 'high_quality' ||
      embeddingModels.some(
        ({ provider, model, status = 'active' }) =>
          provider === embeddingModelProvider && model === embeddingModel && status === 'active',
      ),
    retrieval_model_dict: {
      reranking_mode: null,
      weights: null,
      score_threshold: null,
      ...dataset.retrievalModel,
    },
    summary_index_setting: {
      enable: null,
      model_name: null,
      model_provider_name: null,
      summary_prompt: null,
    },
    tags: store.tags
      .filter(({ id }) => dataset.tagIds.has(id))
      .map(({ id, name }) => ({ id, name, type: 'knowledge' })),
    doc_form: dataset.form,
    external_knowledge_info: {
      external_knowledge_id: null,
      external_knowledge_api_id: null,
      external_knowledge_api_name: null,
      external_knowledge_api_endpoint: null,
    },
    external_retrieval_model: { top_k: 2, score_threshold: 0, score_threshold_enabled: null },
    doc_metadata: dataset.metadata.map(({ id, name, type }) => ({ id, name, type })),
    built_in_field_enabled: dataset.isBuiltInMetadataOn,
    total_documents: documents.length,
    total_available_documents: documents.filter((document) => store.isAvailable(document)).length,
    enable_api: dataset.isApiOn,
    runtime_mode: dataset.isPipeline ? 'rag_pipeline' : 'general',
  };
}
