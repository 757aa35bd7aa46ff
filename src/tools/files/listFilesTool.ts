import * as z from 'zod/mini';
import { globProblem } from '../../base/files/matchGlob.ts';
import { defineTool, type Tool } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { pathAtLineStart, takeLines } from './truncate.ts';
import { WithheldCount } from './withheldCount.ts';

const mostFiles = 1000;

export function listFilesTool({ search }: ToolDependencies): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'Lists the files of the workspace or a folder, at any depth, sorted. Ignored and blocked files are left out. ' +
      'Gives at most 1000 paths at once and says how to go on.',
    input: z.object({
      path: z.optional(z.string().check(z.describe('A folder. Default: the workspace.'))),
      glob: z.optional(z.string().check(z.describe('Like src/**/*.{js,ts}.'))),
      skip: z.optional(z.int().check(z.minimum(0), z.describe('Paths to skip.'))),
    }),
    risk: 'read',
    async run({ path, glob, skip = 0 }, { signal }) {
      const problem = glob && globProblem(glob);
      if (problem) throw new ToolFailure(`${JSON.stringify(glob)} cannot be used: ${problem}. Simplify it.`);
      const { files, summary, isPartial } = granted(
        await search.run(
          { path, include: glob ? [glob] : [], exclude: [], search: undefined, skip, limit: mostFiles },
          signal,
        ),
      );
      const { lines } = takeLines(files.map(({ shown }) => pathAtLineStart(shown)));
      const withheld = new WithheldCount();
      for (const [reason, count] of summary?.withheld ?? []) withheld.add(reason, count);
      const notes = [
        ...(summary?.hasMore || lines.length < files.length
          ? [
              `[There are more files. Narrow the list, or call list_files again with skip ${skip + lines.length}.]`,
            ]
          : []),
        ...(summary ? [] : ['[Listing ran out of time, so there may be more. Narrow it with path.]']),
        ...(isPartial ? ['[Only a part of this virtual workspace was listed. Narrow it with path.]'] : []),
        ...(summary && summary.links > 0
          ? [`[${summary.links} symbolic links are not followed and not listed.]`]
          : []),
        ...(summary && summary.unreadableFolders > 0
          ? [`[${summary.unreadableFolders} folders could not be read.]`]
          : []),
        ...withheld.note('files and folders here'),
      ];
      const nothing = skip > 0 ? `There are no more than ${skip} files.` : 'No files there that may be read.';
      return {
        content: [...(lines.length > 0 ? lines : [nothing]), ...notes].join('\n'),
        isError: false,
        count: lines.length,
        hasMore: Boolean(summary?.hasMore) || lines.length < files.length,
        withheld: withheld.list(),
      };
    },
  });
}
