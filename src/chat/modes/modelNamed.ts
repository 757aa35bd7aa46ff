import type { Model } from '../../relay/messages.ts';

/** Accepts other assistants' names: "Claude Sonnet 5 (copilot)" for `claude-sonnet-5`. */
export function modelNamed(names: readonly string[], listed: readonly Model[]): Model | undefined {
  for (const name of names) {
    const wanted = plain(name.replace(/\s*\([^)]*\)\s*$/, ''));
    const found = listed.find(({ id, name: shown }) => plain(id) === wanted || plain(shown ?? id) === wanted);
    if (found) return found;
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_]+/g, '-');
}
