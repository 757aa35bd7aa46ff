import * as z from 'zod/mini';
import { visibleLine } from '../../base/text/visibleText.ts';
import { redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { comparePaths } from '../search/walkFiles.ts';
import { defineTool, type Tool, type ToolLocation } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { cutLine, pathAtLineStart } from '../files/truncate.ts';
import { WithheldCount, ShownPlaces } from '../files/withheldCount.ts';
import { createGiveWay, type GiveWay } from '../../base/async/promises.ts';

const mostReferences = 200;

export function findReferencesTool({ workspace, policy, texts }: ToolDependencies): Tool {
  return defineTool({
    name: 'find_references',
    description:
      "Finds all uses of a symbol, with their lines, by the editor's language support. Where there is none, use " +
      'search_text.',
    input: z.object({
      path: z.string().check(z.describe('A file that has the symbol.')),
      line: z.int().check(z.minimum(1), z.describe('A line that has it, counted from 1.')),
      symbol: z.string().check(z.minLength(1), z.describe('Its name, as written on that line.')),
    }),
    risk: 'read',
    async run({ path, line, symbol }, { signal }) {
      const run = policy.start();
      const file = granted(await run.check(path, 'read'));
      const giveWay = createGiveWay(signal);
      const whole = await texts.readWhole(file);
      const there = await lineOf(whole, line, giveWay);
      const text = there && whole.slice(there.start, there.end);
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
      const contents = new Map<string, string>();
      for (const use of uses.slice(0, mostReferences)) {
        let content = contents.get(use.realPath);
        if (content === undefined) {
          const place = await places.of(use.realPath);
          content = place ? await texts.readWhole(place) : '';
          contents.set(use.realPath, content);
        }
        const at = await lineOf(content, use.line, giveWay);
        const shown = at ? redactSecrets(content, at.start, Math.min(at.end, at.start + longestShown)) : '';
        lines.push(`${pathAtLineStart(use.shown)}:${use.line}: ${cutLine(visibleLine(shown.trim()))}`);
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

const longestShown = 10_000;
const longestSymbol = 1000;
const mostPlaces = 1000;

async function lineOf(
  text: string,
  line: number,
  giveWay: GiveWay,
): Promise<{ start: number; end: number } | undefined> {
  let start = 0;
  for (let number = 1; number < line; number++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
    if (number % 10_000 === 0) await giveWay();
  }
  const next = text.indexOf('\n', start);
  const end = next < 0 ? text.length : next;
  return { start, end: text[end - 1] === '\r' && end > start ? end - 1 : end };
}

/** 1-based column of the first whole-word occurrence, or of the first at all. */
function columnOf(text: string, symbol: string): number | undefined {
  const isWord = (character: string | undefined) => character !== undefined && /[\w$]/.test(character);
  if (symbol.length > longestSymbol) return undefined;
  let left = mostPlaces;
  for (let at = text.indexOf(symbol); at >= 0 && left-- > 0; at = text.indexOf(symbol, at + 1)) {
    if (!isWord(text[at - 1]) && !isWord(text[at + symbol.length])) return at + 1;
  }
  const anywhere = text.indexOf(symbol);
  return anywhere < 0 ? undefined : anywhere + 1;
}
