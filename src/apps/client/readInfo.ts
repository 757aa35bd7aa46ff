import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import type { AppInfo, AppKind } from '../app.ts';
import { text, textsIn } from './appWire.ts';

const kinds: Readonly<Record<string, AppKind>> = {
  chat: 'chat',
  'agent-chat': 'agent',
  agent: 'agent',
  'advanced-chat': 'chatflow',
  completion: 'completion',
  workflow: 'workflow',
};

const infoSchema = z.object({ name: text, description: text, mode: text, author_name: text });

/** `GET /info`; undefined if it is no description of an app. Source: platform-api.md 3. */
export function readInfo(json: unknown): AppInfo | undefined {
  const body = asObject(json);
  if (!body || typeof body['name'] !== 'string') return undefined;
  const wire = infoSchema.parse(body);
  return {
    name: wire.name ?? '',
    description: wire.description ?? '',
    kind: kinds[wire.mode ?? ''] ?? 'unknown',
    tags: textsIn(body['tags']),
    author: wire.author_name,
  };
}
