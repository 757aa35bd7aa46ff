import * as z from 'zod/mini';
import { globProblem } from '../../base/files/matchGlob.ts';
import { visibleLine } from '../../base/text/visibleText.ts';
import type { SearchOutcome } from './fileSearch.ts';
import { compilePattern } from './linePattern.ts';
import type { FoundFile } from './searchJob.ts';
import { defineTool, type Tool, type ToolLocation } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { defaultLimits, pathAtLineStart } from '../files/truncate.ts';

const mostMatches = 200;
const globs = (description: string) =>
  z.optional(z.array(z.string()).check(z.maxLength(20), z.describe(description)));

export function searchTextTool({ search }: ToolDependencies): Tool {
  return defineTool({
    name: 'search_text',
    description:
      'Searches text files line by line, unsaved changes included; gives the matching lines with path and number. ' +
      'Ignored, blocked and binary files and those over 50 MB are not searched. Gives at most 200 matches at once and ' +
      'says how to go on.',
    input: z.object({
      query: z.string().check(z.describe('A text, or a regular expression.')),
      isRegex: z.optional(z.boolean().check(z.describe('Of JavaScript.'))),
      ignoreCase: z.optional(z.boolean().check(z.describe('Default: false.'))),
      path: z.optional(z.string().check(z.describe('A folder or file. Default: the workspace.'))),
      include: globs('Globs, like ["src/**/*.ts"].'),
      exclude: globs('Globs.'),
      contextLines: z.optional(
        z.int().check(z.minimum(0), z.maximum(10), z.describe('Before and after each match, at most 10.')),
      ),
      skip: z.optional(z.int().check(z.minimum(0), z.describe('Matches to skip.'))),
    }),
    risk: 'read',
    async run(input, { signal }) {
      const { query, isRegex = false, ignoreCase = false, contextLines = 0, skip = 0 } = input;
      const pattern = compilePattern({ query, isRegex, ignoreCase });
      if ('problem' in pattern) throw new ToolFailure(pattern.problem);
      const { include = [], exclude = [] } = input;
      for (const glob of [...include, ...exclude]) {
        const problem = globProblem(glob);
        if (problem)
          throw new ToolFailure(`${JSON.stringify(glob)} cannot be used: ${problem}. Simplify it.`);
      }
      const outcome = granted(
        await search.run(
          {
            path: input.path,
            include,
            exclude,
            search: { pattern, context: contextLines },
            skip,
            limit: mostMatches,
          },
          signal,
        ),
      );
      const { lines, shown, locations } = describe(outcome.files, contextLines > 0);
      const total = outcome.files.reduce((sum, file) => sum + file.matches.length, 0);
      const notes = notesOf(outcome, skip + shown, shown < total);
      if (total === 0) lines.push(nothing(query, isRegex, outcome, skip));
      return {
        content: [...lines, ...notes].join('\n'),
        isError: false,
        locations,
        count: shown,
        hasMore: shown < total || outcome.summary?.hasMore !== false,
      };
    },
  });
}

function describe(files: readonly FoundFile[], hasContext: boolean) {
  const lines: string[] = [];
  const locations: ToolLocation[] = [];
  let bytes = 0;
  let shown = 0;
  for (const { shown: path, matches } of files) {
    let isFirst = true;
    let lastLine = 0;
    for (const { line, text, before, after } of matches) {
      const block: string[] = isFirst ? [pathAtLineStart(path)] : [];
      const from = line - before.length;
      if (hasContext && !isFirst && from > lastLine + 1) block.push('  …');
      for (const [index, near] of before.entries()) {
        if (from + index > lastLine) block.push(`  ${from + index}- ${visibleLine(near)}`);
      }
      const own = `  ${line}: ${visibleLine(text)}`;
      if (line <= lastLine) lines[lines.length - (lastLine - line) - 1] = own;
      else block.push(own);
      for (const [index, near] of after.entries()) {
        if (line + 1 + index > lastLine) block.push(`  ${line + 1 + index}- ${visibleLine(near)}`);
      }
      bytes += block.reduce((sum, each) => sum + Buffer.byteLength(each) + 1, 0);
      if (bytes > defaultLimits.maxBytes && shown > 0) return { lines, shown, locations };
      lines.push(...block);
      lastLine = Math.max(lastLine, line + after.length);
      locations.push({ path, line });
      isFirst = false;
      shown++;
    }
  }
  return { lines, shown, locations };
}

function notesOf({ summary, isPartial }: SearchOutcome, next: number, isCut: boolean): string[] {
  const notes: string[] = [];
  if (isCut || summary?.hasMore) {
    notes.push(`[There are more matches. Narrow the search, or call it again with skip ${next}.]`);
  }
  if (!summary) {
    notes.push(
      '[The search ran out of time, so there may be more. Narrow it with path or include, or use a simpler query.]',
    );
  }
  if (isPartial)
    notes.push('[Only a part of this virtual workspace was searched. Narrow the search with path.]');
  if (summary && summary.largeFiles > 0) notes.push('[Files over 50 MB were not searched.]');
  return notes;
}

function nothing(query: string, isRegex: boolean, { summary }: SearchOutcome, skip: number): string {
  if (!summary) return 'Nothing was found so far.';
  if (skip > 0) return `There are no more than ${skip} matches.`;
  const hint =
    !isRegex && /\\[a-z(.]|\.[*+]|\w\|\w|\[\^?[\w-]+\]/i.test(query)
      ? ' The query was searched as plain text; set isRegex to true if it is a regular expression.'
      : ' Try a shorter query, ignoreCase, or another path.';
  return `No line matches ${JSON.stringify(query)} in the files that may be searched.${hint}`;
}
