import * as z from 'zod/mini';
import { visibleLine } from '../base/visibleText.ts';
import { redactSecrets } from '../base/secrets/redact.ts';
import { comparePaths } from './search/walk.ts';
import { ShownPlaces } from './shownPlaces.ts';
import { defineTool, type Tool, type ToolLocation } from './tool.ts';
import { granted, ToolFailure } from './toolFailure.ts';
import type { ToolDependencies } from './toolDependencies.ts';
import { cutLine, pathAtLineStart } from './truncate.ts';
import { WithheldCount } from './withheldCount.ts';

const mostReferences = 200;

/** `find_references`: all uses of the symbol at a place. */
export function findReferencesTool({ workspace, policy, texts }: ToolDependencies): Tool {
  return defineTool({
    name: 'find_references',
    description:
      "Finds all uses of the symbol at a place in a file, by the editor's language support, with the line of each use. " +
      'Where there is none, use search_text.',
    input: z.object({
      path: z.string().check(z.describe('A file in which the symbol occurs.')),
      line: z.int().check(z.minimum(1), z.describe('A line on which it occurs, counted from 1.')),
      symbol: z.string().check(z.minLength(1), z.describe('Its name, as written on that line.')),
    }),
    risk: 'read',
    async run({ path, line, symbol }, { signal }) {
      const run = policy.start();
      const file = granted(await run.check(path, 'read'));
      const text = (await texts.readWhole(file)).split(/\r?\n/)[line - 1];
      const column = columnOf(text ?? '', symbol);
      if (column === undefined) {
        throw new ToolFailure(
          `Line ${line} of ${file.shown} does not have ${JSON.stringify(symbol)} in it: ` +
            `${text === undefined ? 'there is no such line' : JSON.stringify(cutLine(text))}. ` +
            'Give the line where it stands; find_symbols or search_text tell it.',
        );
      }
      const found = await workspace.languages.references(file.realPath, { line, column }, signal);
      const withheld = new WithheldCount();
      const places = new ShownPlaces(run, withheld);
      const uses: { shown: string; realPath: string; line: number }[] = [];
      for (const reference of found) {
        const place = await places.of(reference.path);
        if (place)
          uses.push({ shown: place.shown, realPath: place.realPath, line: reference.range.start.line });
      }
      uses.sort((a, b) => comparePaths(a.shown, b.shown) || a.line - b.line);
      const lines: string[] = [];
      const locations: ToolLocation[] = [];
      const contents = new Map<string, string[]>();
      for (const use of uses.slice(0, mostReferences)) {
        let content = contents.get(use.realPath);
        if (!content) {
          const place = await places.of(use.realPath);
          content = place ? redactSecrets(await texts.readWhole(place)).split(/\r?\n/) : [];
          contents.set(use.realPath, content);
        }
        lines.push(
          `${pathAtLineStart(use.shown)}:${use.line}: ${cutLine(visibleLine((content[use.line - 1] ?? '').trim()))}`,
        );
        locations.push({ path: use.shown, line: use.line });
      }
      if (uses.length > mostReferences) lines.push(`[${mostReferences} of ${uses.length} uses are shown.]`);
      if (lines.length === 0) {
        lines.push('No uses are known. The language may have no support: try search_text.');
      }
      const content = [...lines, ...withheld.note('uses in files')].join('\n');
      return { content, isError: false, locations, count: uses.length, withheld: withheld.list() };
    },
  });
}

/** 1-based, of the first place where the name stands by itself, else of the first at all. */
function columnOf(text: string, symbol: string): number | undefined {
  const isWord = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  for (let at = text.indexOf(symbol); at >= 0; at = text.indexOf(symbol, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + symbol.length])) return at + 1;
  }
  const anywhere = text.indexOf(symbol);
  return anywhere < 0 ? undefined : anywhere + 1;
}
