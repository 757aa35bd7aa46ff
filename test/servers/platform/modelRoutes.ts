import type { PlatformContext } from './platformContext.ts';
import { ok, type PlatformRoute, route } from './platformRoute.ts';

/** The models that knowledge bases can use, by provider; by default, there is none for reranking. */
export function modelRoutes({ embeddingModels, rerankModels }: PlatformContext): PlatformRoute[] {
  return [
    route(
      'listModels',
      'GET /v1/workspaces/current/models/model-types/:word since 1.2',
      ({ ids: [type] }) => {
        const all = { 'text-embedding': embeddingModels, rerank: rerankModels }[type ?? ''] ?? [];
        const providers = [...new Set(all.map(({ provider }) => provider))];
        const data = providers.map((provider) => ({
          tenant_id: 'sandbox',
          provider,
          label: { en_US: 'Sandbox' },
          status: 'active',
          models: all
            .filter((model) => model.provider === provider)
            .map(({ model, status = 'active' }) => ({
              model,
              label: { en_US: model },
              model_type: type,
              features: null,
              fetch_from: 'predefined-model',
              model_properties: { context_size: 8192 },
              deprecated: false,
              status,
              load_balancing_enabled: false,
            })),
        }));
        return ok({ data });
      },
    ),
  ];
}
