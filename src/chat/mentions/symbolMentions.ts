import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { SymbolFound } from '../../tools/files/workspace.ts';
import type { Mention } from './mention.ts';

/** Symbols of the active editor first, then of the workspace. */
export async function symbolMentions(
  { workspace, policy }: ToolDependencies,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Mention[]> {
  const { languages, editors } = workspace;
  const active = editors.open().find(({ isActive }) => isActive);
  const nothing = (): SymbolFound[] => [];
  const [here, everywhere] = await Promise.all([
    active ? languages.documentSymbols(active.path, signal).catch(nothing) : [],
    query === '' ? [] : languages.workspaceSymbols(query, signal).catch(nothing),
  ]);
  const wanted = query.toLowerCase();
  const run = policy.start();
  const mentions: Mention[] = [];
  const seen = new Set<string>();
  for (const { name, kind, path, range } of [
    ...here.filter((symbol) => symbol.name.toLowerCase().includes(wanted)),
    ...everywhere,
  ]) {
    const key = `${path}:${range.start.line}:${name}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const verdict = await run.check(path, 'attach');
    if (!verdict.isAllowed) continue;
    mentions.push({
      source: { type: 'range', path, startLine: range.start.line, endLine: range.end.line, name },
      kind: 'symbol',
      label: name,
      detail: `${kind} · ${verdict.shown}:${range.start.line}`,
    });
    if (mentions.length >= limit) break;
  }
  return mentions;
}
