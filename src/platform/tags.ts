import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { SwitchboardError } from '../base/errors/errors.ts';
import { readTagName } from './datasets.ts';
import { type Caller, type PlatformContext, route } from './platformCall.ts';
import { isTagFault } from './platformErrors.ts';
import type { Tag } from './records.ts';
import { countOrText, id, pageOf, withKnown } from './platformWire.ts';

const path = '/datasets/tags';

/** Tags of knowledge bases, from 1.4.2 on. Source: platform-api.md 7.7. */
export function createTagCalls(caller: Caller, { log }: Pick<PlatformContext, 'log'>) {
  return {
    async list(signal: AbortSignal): Promise<Tag[]> {
      const request = { method: 'GET', path, isRead: true, isNewerRoute: true } as const;
      return (await caller.ask(request, pageOf(readTag, log), signal)).items;
    },
    async create(name: string, signal: AbortSignal): Promise<Tag> {
      try {
        const request = { method: 'POST', path, json: { name }, isNewerRoute: true } as const;
        return await caller.ask(request, readTag, signal);
      } catch (error) {
        throw isTagFault(error) ? createdUnseen(name, error) : error;
      }
    },
    rename: (tagId: string, name: string, signal: AbortSignal) =>
      caller.ask(
        { method: 'PATCH', path, json: { tag_id: tagId, name }, isNewerRoute: true },
        readTag,
        signal,
      ),
    delete: (tagId: string, signal: AbortSignal) =>
      caller.send({ method: 'DELETE', path, json: { tag_id: tagId }, isNewerRoute: true }, signal),
    bind: (datasetId: string, tagIds: readonly string[], signal: AbortSignal) =>
      caller.send(
        {
          method: 'POST',
          path: `${path}/binding`,
          json: { tag_ids: tagIds, target_id: datasetId },
          isNewerRoute: true,
        },
        signal,
      ),
    unbind: (datasetId: string, tagId: string, signal: AbortSignal) =>
      caller.send(
        {
          method: 'POST',
          path: `${path}/unbinding`,
          // The older form, which all versions accept.
          json: { tag_id: tagId, target_id: datasetId },
          isNewerRoute: true,
        },
        signal,
      ),
    async of(datasetId: string, signal: AbortSignal): Promise<{ id: string; name: string }[]> {
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

/** 1.14 creates the tag, then fails to return it. */
function createdUnseen(name: string, cause: unknown): SwitchboardError {
  const { parameter } = cause instanceof SwitchboardError ? cause : {};
  return new SwitchboardError(
    'request',
    l10n.t(
      'The tag "{0}" was created, but this version of the platform (1.14) can\'t return it, a known issue. Assign it on the platform.',
      name,
    ),
    { cause, status: 400, ...(parameter !== undefined && { parameter }) },
  );
}

/** 1.16 sends the count as text. */
const tagSchema = z.object({ id, name: z.string(), binding_count: countOrText });

export function readTag(json: unknown): Tag | undefined {
  const { data: wire } = tagSchema.safeParse(json);
  return wire && withKnown({ id: wire.id, name: wire.name, bindingCount: wire.binding_count });
}
