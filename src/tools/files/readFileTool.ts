import * as z from 'zod/mini';
import { visibleLine } from '../../base/text/visibleText.ts';
import { largestWholeFile } from './fileTexts.ts';
import { takeWindow, type LineWindow } from './lineWindow.ts';
import { defineTool, type Tool } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { ToolDependencies } from '../toolDependencies.ts';
import { defaultLimits, pathAtLineStart } from './truncate.ts';

const maxColumns = 10_000;

const positive = (description: string) => z.optional(z.int().check(z.minimum(1), z.describe(description)));

export function readFileTool({ policy, texts, commandOutput }: ToolDependencies): Tool {
  return defineTool({
    name: 'read_file',
    description:
      'Reads a text file, unsaved changes included. Before each line stand its number and a tab, which are not part ' +
      'of it. Gives at most 1000 lines or 50 KB at once and says how to read on.',
    input: z.object({
      path: z.string().check(z.describe('Relative to the workspace folder.')),
      startLine: positive('Counted from 1. Default: 1.'),
      endLine: positive('Included. Default: the last one.'),
      startColumn: positive('In a very long startLine: the character to begin at.'),
    }),
    risk: 'read',
    async run({ path, startLine = 1, endLine = Infinity, startColumn = 1 }, { signal }) {
      const output = await commandOutput?.(path);
      const file = output === undefined ? granted(await policy.check(path, 'read')) : undefined;
      const shown = file?.shown ?? path;
      if (endLine < startLine) {
        throw new ToolFailure(`endLine ${endLine} is before startLine ${startLine}. Give a range in order.`);
      }
      const window = await takeWindow(
        file ? texts.readPieces(file, signal) : inOnePiece(output ?? ''),
        { startLine, endLine, startColumn, limits: defaultLimits, maxColumns },
        (read) => read <= largestWholeFile,
      );
      const [first] = window.lines;
      if (!first) return { content: emptyText(shown, window, startLine), isError: startLine > 1 };
      const last = window.lines.at(-1) ?? first;
      return {
        content: describe(shown, window),
        isError: false,
        ...(file && { locations: [{ path: shown, line: first.number, endLine: last.number }] }),
      };
    },
  });
}

async function* inOnePiece(text: string): AsyncGenerator<string, void, void> {
  yield text;
}

function emptyText(shown: string, { totalLines }: LineWindow, startLine: number): string {
  if (startLine === 1) return `${shown} is empty.`;
  return `${shown} has ${totalLines} lines, so there is no line ${startLine}. Choose a smaller startLine.`;
}

function describe(shown: string, { lines, totalLines, nextLine }: LineWindow): string {
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? first;
  const total = totalLines === undefined ? 'a very large file' : String(totalLines);
  const numbered = lines.map(({ number, text, cut }) => {
    const more = cut
      ? ` [this line has ${cut.length} characters; read on with startLine ${number}, startColumn ${cut.nextColumn}]`
      : '';
    return `${number}\t${visibleLine(text)}${more}`;
  });
  const rest = nextLine === undefined ? [] : [`[Not all was read. Read on with startLine ${nextLine}.]`];
  return [`${pathAtLineStart(shown)}, lines ${first} to ${last} of ${total}`, ...numbered, ...rest].join(
    '\n',
  );
}
