import * as z from 'zod/mini';
import { asObject, asText } from '../base/json.ts';
import { type Caller, route } from './platformCall.ts';
import { isMissingOnServer } from './platformErrors.ts';
import type { PlatformModel } from './records.ts';
import { readList, text } from './platformWire.ts';

/** Models by purpose, from 1.2 on; empty for older servers. Source: platform-api.md 7.7. */
export async function listModels(
  caller: Caller,
  type: 'text-embedding' | 'rerank',
  signal: AbortSignal,
): Promise<PlatformModel[]> {
  const path = route`/workspaces/current/models/model-types/${type}`;
  try {
    return await caller.ask({ method: 'GET', path, isRead: true, isNewerRoute: true }, readModels, signal);
  } catch (error) {
    if (isMissingOnServer(error)) return [];
    throw error;
  }
}

const providerSchema = z.object({ provider: z.string(), status: text });
const modelSchema = z.object({ model: z.string(), status: text });

export function readModels(json: unknown): PlatformModel[] | undefined {
  const data = asObject(json)?.['data'];
  if (!Array.isArray(data)) return undefined;
  return data.flatMap((item: unknown) => {
    const { data: provider } = providerSchema.safeParse(item);
    if (!provider) return [];
    return readList(asObject(item)?.['models'], (entry) => {
      const { data: model } = modelSchema.safeParse(entry);
      if (!model) return undefined;
      return {
        provider: provider.provider,
        model: model.model,
        label: labelOf(asObject(entry)?.['label']) ?? model.model,
        isActive: (model.status ?? provider.status) === 'active',
      };
    });
  });
}

function labelOf(label: unknown): string | undefined {
  return asText(label) ?? asText(asObject(label)?.['en_US']);
}
