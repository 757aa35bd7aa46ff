import * as z from 'zod/mini';
import { oneLine } from '../../base/text/oneLine.ts';
import { defineTool, type Tool, type ToolLocation } from '../tool.ts';
import { granted } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { WithheldCount, ShownPlaces } from '../files/withheldCount.ts';

const mostSymbols = 200;

export function findSymbolsTool({ workspace, policy }: ToolDependencies): Tool {
  return defineTool({
    name: 'find_symbols',
    description:
      "Finds symbols by name in the whole workspace, or lists those of a file, by the editor's language support. Where " +
      'there is none, use search_text.',
    input: z.object({
      query: z.optional(z.string().check(z.describe('A name or a part of one.'))),
      path: z.optional(z.string().check(z.describe('A file whose symbols to list.'))),
    }),
    risk: 'read',
    async run({ query = '', path }, { signal }) {
      const run = policy.start();
      const file = path ? granted(await run.check(path, 'read')) : undefined;
      const found = file
        ? await workspace.languages.documentSymbols(file.realPath, signal)
        : await workspace.languages.workspaceSymbols(query, signal);
      const wanted = query.toLowerCase();
      const named = file ? found.filter(({ name }) => name.toLowerCase().includes(wanted)) : found;
      const withheld = new WithheldCount();
      const places = new ShownPlaces(run, withheld);
      const lines: string[] = [];
      const locations: ToolLocation[] = [];
      for (const { name, kind, container, path: at, range } of named) {
        if (lines.length >= mostSymbols) break;
        const place = await places.of(at);
        if (!place) continue;
        const inside = container ? ` (in ${oneLine(container)})` : '';
        lines.push(`${kind} ${oneLine(name)}${inside}: ${place.shown}:${range.start.line}-${range.end.line}`);
        locations.push({ path: place.shown, line: range.start.line, endLine: range.end.line });
      }
      const more =
        named.length > mostSymbols
          ? [`[${mostSymbols} of ${named.length} symbols are shown. Give a longer name or a path.]`]
          : [];
      if (lines.length === 0) {
        lines.push('No symbols are known for that. The language may have no support: try search_text.');
      }
      const content = [...lines, ...more, ...withheld.note('symbols of files')].join('\n');
      return {
        content,
        isError: false,
        locations,
        count: locations.length,
        hasMore: named.length > mostSymbols,
        withheld: withheld.list(),
      };
    },
  });
}
