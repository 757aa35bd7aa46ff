import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Reply } from '../../http/reply.ts';
import { type PlatformRefusal, refusal } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import type { SandboxCatalog } from './catalog.ts';
import { type AppDocument, readDsl } from './dslDocument.ts';
import type { FlowApp } from './flowApps.ts';
import { type OpenapiContext, type OpenapiRoute, openapiRoute, openRoute, readBody } from './openapiRoute.ts';

// Since 1.18, by its documentation and not recorded: what stands here is no more than that says.

export function draftHash(document: AppDocument): string {
  return createHash('sha256').update(JSON.stringify(document)).digest('hex');
}

export function newerRoutes({ flows }: OpenapiContext, catalog: () => SandboxCatalog): OpenapiRoute[] {
  const publishBody = z.object({
    marked_name: z.optional(z.string()),
    marked_comment: z.optional(z.string()),
  });
  const checkBody = z.object({ yaml_content: z.string(), app_id: z.optional(z.string()) });
  return [
    openRoute('GET /_catalog', (): Reply => ({
      ...{ status: 200, headers: { 'Content-Type': 'application/json' }, body: catalog().text },
    })),
    openapiRoute('POST /apps/:word:publish', (call) => {
      const app: FlowApp = flows.usable(call.ids[0]);
      const { marked_comment: note = '' } = readBody(call, publishBody);
      flows.notes.push(note);
      const version = flows.publish(app);
      return ok({ version_id: version, created_at: Math.floor(flows.now() / 1000), warning: null });
    }),
    openapiRoute('POST /workspaces/:word/apps/imports:check', (call) => {
      flows.workspace(call.ids[0]);
      const read = readDsl(readBody(call, checkBody).yaml_content);
      if ('error' in read) {
        const issue = { code: 'invalid_dsl', severity: 'error', node_id: null, loc: [], message: read.error };
        return ok({ valid: false, issues: [issue] });
      }
      const issues = flows.issues(read.document);
      return ok({ valid: issues.length === 0, issues });
    }),
  ];
}

/** 400, as failed imports are; the words are documented, the status is not. */
export function draftChanged(): PlatformRefusal {
  return refusal(400, 'draft_changed', 'The draft changed after it was exported.');
}
