import * as z from 'zod/mini';
import { readTagName } from './datasets.ts';
import type { Caller, PlatformContext } from './platformCall.ts';
import type { TagCalls } from './platformClient.ts';
import type { Tag } from './records.ts';
import { route } from './route.ts';
import { count, id, pageOf, withKnown } from './wire.ts';

const path = '/datasets/tags';

/** Tags of knowledge bases, from 1.4.2 on. Source: platform-api.md 7.7. */
export function createTagCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>): TagCalls {
  return {
    async list(signal) {
      const request = { method: 'GET', path, isRead: true, isNewerRoute: true } as const;
      return (await caller.ask(request, pageOf(readTag, log), signal)).items;
    },
    create: (name, signal) =>
      caller.ask({ method: 'POST', path, json: { name }, isNewerRoute: true }, readTag, signal),
    rename: (tagId, name, signal) =>
      caller.ask(
        { method: 'PATCH', path, json: { tag_id: tagId, name }, isNewerRoute: true },
        readTag,
        signal,
      ),
    delete: (tagId, signal) =>
      caller.order({ method: 'DELETE', path, json: { tag_id: tagId }, isNewerRoute: true }, signal),
    bind: (datasetId, tagIds, signal) =>
      caller.order(
        {
          method: 'POST',
          path: `${path}/binding`,
          json: { tag_ids: tagIds, target_id: datasetId },
          isNewerRoute: true,
        },
        signal,
      ),
    unbind: (datasetId, tagId, signal) =>
      caller.order(
        {
          method: 'POST',
          path: `${path}/unbinding`,
          // The older form, which all versions take.
          json: { tag_id: tagId, target_id: datasetId },
          isNewerRoute: true,
        },
        signal,
      ),
    async of(datasetId, signal) {
      const request = {
        method: 'GET',
        path: route`/datasets/${datasetId}/tags`,
        isRead: true,
        isNewerRoute: true,
      } as const;
      return (await caller.ask(request, pageOf(readTagName, log), signal)).items;
    },
  };
}

const tagSchema = z.object({ id, name: z.string(), binding_count: count });

export function readTag(json: unknown): Tag | undefined {
  const { data: wire } = tagSchema.safeParse(json);
  return wire && withKnown({ id: wire.id, name: wire.name, bindingCount: wire.binding_count });
}
