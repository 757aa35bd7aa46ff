import * as z from 'zod/mini';
import { oneLine } from '../../base/text/oneLine.ts';
import { defineTool, type Tool, type ToolLocation } from '../tool.ts';
import { granted } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { takeLines } from '../files/truncate.ts';
import { WithheldCount, ShownPlaces } from '../files/withheldCount.ts';
import type { Diagnostic } from '../files/workspace.ts';

const longestMessage = 2000;

const weights: Record<Diagnostic['severity'], number> = { error: 0, warning: 1, information: 2, hint: 3 };

export function getDiagnosticsTool({ workspace, policy }: ToolDependencies): Tool {
  return defineTool({
    name: 'get_diagnostics',
    description:
      "Gives the errors and warnings of the editor's language support and linters. Files that were never opened may " +
      'not have been checked.',
    input: z.object({
      path: z.optional(z.string().check(z.describe('Default: all files.'))),
    }),
    risk: 'read',
    async run({ path }) {
      const run = policy.start();
      const file = path ? granted(await run.check(path, 'read')) : undefined;
      const found = workspace.languages
        .diagnostics(file?.realPath)
        .toSorted((a, b) => weights[a.severity] - weights[b.severity]);
      const withheld = new WithheldCount();
      const places = new ShownPlaces(run, withheld);
      const all: string[] = [];
      const allLocations: ToolLocation[] = [];
      for (const { path: at, range, severity, message, source, code } of found) {
        const place = await places.of(at);
        if (!place) continue;
        const origin = oneLine([source, code].filter(Boolean).join(' '));
        const { line, column } = range.start;
        all.push(
          `${severity} ${place.shown}:${line}:${column} ${oneLine(message, longestMessage)}${origin && ` [${origin}]`}`,
        );
        allLocations.push({ path: place.shown, line, endLine: range.end.line });
      }
      const { lines, left } = takeLines(all, { maxLines: 200, maxBytes: 30_000 });
      const more = left > 0 ? [`[${left} more are not shown. Ask for one file by its path.]`] : [];
      if (lines.length === 0) lines.push(`No problems are reported${file ? ` for ${file.shown}` : ''}.`);
      return {
        content: [...lines, ...more, ...withheld.note('problems of files')].join('\n'),
        isError: false,
        locations: allLocations.slice(0, all.length - left),
        count: all.length,
        withheld: withheld.list(),
      };
    },
  });
}
