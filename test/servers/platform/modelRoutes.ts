import type { PlatformContext } from './platformContext.ts';
import { ok, type PlatformRoute, route } from './platformRoute.ts';

/** The models that knowledge bases can use, by provider. There is none for reranking. */
export function modelRoutes({ embeddingModels }: PlatformContext): PlatformRoute[] {
  const providers = [...new Set(embeddingModels.map(({ provider }) => provider))];
  return [
    route('listModels', 'GET /v1/workspaces/current/models/model-types/:word since 1.2', ({ ids }) => {
      if (ids[0] !== 'text-embedding') return ok({ data: [] });
      const data = providers.map((provider) => ({
        tenant_id: 'sandbox',
        provider,
        label: { en_US: 'Sandbox' },
        status: 'active',
        models: embeddingModels
          .filter((model) => model.provider === provider)
          .map(({ model, status = 'active' }) => ({
            model,
            label: { en_US: model },
            model_type: 'text-embedding',
            features: null,
            fetch_from: 'predefined-model',
            model_properties: { context_size: 8192 },
            deprecated: false,
            status,
            load_balancing_enabled: false,
          })),
      }));
      return ok({ data });
    }),
  ];
}
