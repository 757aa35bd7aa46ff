import { createHash } from 'node:crypto';
import type { ScriptedApp } from './scriptedApp.ts';

/** The only published version of an app's flow: the same UUID in every sandbox. */
export function workflowIdOf(app: ScriptedApp): string {
  return app.versionId ?? uuidOf(app.key);
}

export function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
