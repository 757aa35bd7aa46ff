import { asObject, parseJson } from '../../base/json.ts';
import type { ToolCall } from '../../relay/messages.ts';
import { mostCalls } from './runCalls.ts';

type TextToolCall = Omit<ToolCall, 'id'>;

export interface TextToolCalls {
  start: number;
  calls: TextToolCall[];
}

/** Calls begin a line outside code, quotes and HTML and reach to the end; in doubt they stay text. Linear time. */
export function findTextToolCalls(text: string): TextToolCalls | undefined {
  const start = findStart(text);
  const calls = start === undefined ? undefined : readCalls(new Cursor(text, start));
  return start !== undefined && calls ? { start, calls } : undefined;
}

const opening = /^(?:<tool_call>|\[TOOL_CALLS\]|<function=|<｜tool▁calls?▁begin｜>)/;

const lineEnd = /\r\n?|\n|$/g;
const fence = /^(`{3,}(?=[^`]*$)|~{3,})/;
const fenceEnd = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** Fences nested in lists or quotes; only a full parser could tell where they end. */
const nestedFence = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))+(?:`{3,}|~{3,})/;
/** Quotes, also within a list; the line right after one still belongs to it. */
const quote = /^(?:[ \t]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*>/;
const html = /^ {0,3}<(?:[a-z][a-z\d-]*(?=[\s/>]|$)|[/!?])/i;

function findStart(text: string): number | undefined {
  let openFence: string | undefined;
  let mayContinueQuoteOrSpan = false;
  for (let at = 0; at < text.length; at = lineEnd.lastIndex) {
    lineEnd.lastIndex = at;
    const end = lineEnd.exec(text)?.index;
    const line = text.slice(at, end);
    if (openFence !== undefined) {
      const [, closing] = fenceEnd.exec(line) ?? [];
      if (closing?.startsWith(openFence)) openFence = undefined;
    } else if (/^[ \t]*$/.test(line)) mayContinueQuoteOrSpan = false;
    else if (opening.test(line)) return mayContinueQuoteOrSpan ? undefined : at;
    else if (nestedFence.test(line) || html.test(line)) return undefined;
    else {
      [openFence] = fence.exec(line) ?? [];
      mayContinueQuoteOrSpan =
        openFence === undefined && (mayContinueQuoteOrSpan || quote.test(line) || hasOpenCode(line));
    }
  }
  return undefined;
}

function hasOpenCode(line: string): boolean {
  // An escaped backtick can't open a span but may close one.
  if (line.includes('\\`')) return true;
  const runs = (line.match(/`+/g) ?? []).map(({ length }) => length);
  const toCome = new Map<number, number>();
  for (const length of runs) toCome.set(length, (toCome.get(length) ?? 0) + 1);
  let open: number | undefined;
  for (const length of runs) {
    const left = (toCome.get(length) ?? 0) - 1;
    toCome.set(length, left);
    if (open === length) open = undefined;
    else if (open === undefined && left > 0) open = length;
    else if (open === undefined) return true;
  }
  return false;
}

function readCalls(cursor: Cursor): TextToolCall[] | undefined {
  const calls: TextToolCall[] = [];
  for (;;) {
    cursor.skipSpace();
    if (cursor.isAtEnd) return calls;
    const found = readTagged(cursor) ?? readFunction(cursor) ?? readMistral(cursor) ?? readDeepSeek(cursor);
    // More calls wouldn't be run anyway.
    if (!found || calls.length + found.length > mostCalls) return undefined;
    calls.push(...found);
  }
}

/** Hermes, Qwen: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`, or a function in it. */
function readTagged(cursor: Cursor): TextToolCall[] | undefined {
  if (!cursor.take('<tool_call>')) return undefined;
  cursor.skipSpace();
  const calls = readFunction(cursor) ?? toCalls(cursor.takeJson());
  cursor.skipSpace();
  return cursor.take('</tool_call>') ? calls : undefined;
}

/** Mistral: `[TOOL_CALLS] [{"name": …, "arguments": {…}}]`. */
function readMistral(cursor: Cursor): TextToolCall[] | undefined {
  if (!cursor.take('[TOOL_CALLS]')) return undefined;
  cursor.skipSpace();
  return toCalls(cursor.takeJson());
}

/** Qwen coder, Llama: `<function=name><parameter=key>value</parameter></function>`. */
function readFunction(cursor: Cursor): TextToolCall[] | undefined {
  if (!cursor.take('<function=')) return undefined;
  const name = cursor.takeName();
  if (name === undefined || !cursor.take('>')) return undefined;
  const parameters: string[] = [];
  for (cursor.skipSpace(); cursor.take('<parameter='); cursor.skipSpace()) {
    const key = cursor.takeName();
    const value = key !== undefined && cursor.take('>') ? cursor.takeUntil('</parameter>') : undefined;
    if (key === undefined || value === undefined) return undefined;
    parameters.push(`${JSON.stringify(key)}:${toJson(value.replace(/^\n|\n$/g, ''))}`);
  }
  return cursor.take('</function>') ? [{ name, arguments: `{${parameters.join(',')}}` }] : undefined;
}

/** JSON text keeps its value, anything else becomes a string: `<parameter=line>4` is the number 4. */
function toJson(text: string): string {
  return parseJson(text) === undefined ? JSON.stringify(text) : text;
}

/** `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, arguments in a code block, end tags. */
function readDeepSeek(cursor: Cursor): TextToolCall[] | undefined {
  cursor.take('<｜tool▁calls▁begin｜>');
  const calls: TextToolCall[] = [];
  for (cursor.skipSpace(); cursor.take('<｜tool▁call▁begin｜>'); cursor.skipSpace()) {
    cursor.take('function');
    const name = cursor.take('<｜tool▁sep｜>') ? cursor.takeName() : undefined;
    cursor.skipSpace();
    cursor.take('```json');
    cursor.skipSpace();
    const given = asObject(cursor.takeJson());
    cursor.skipSpace();
    cursor.take('```');
    cursor.skipSpace();
    if (name === undefined || !given || !cursor.take('<｜tool▁call▁end｜>')) return undefined;
    calls.push({ name, arguments: JSON.stringify(given) });
  }
  cursor.take('<｜tool▁calls▁end｜>');
  return calls.length > 0 ? calls : undefined;
}

function toCalls(value: unknown): TextToolCall[] | undefined {
  const calls: TextToolCall[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    const call = asObject(each);
    const name = call?.['name'];
    if (!call || typeof name !== 'string') return undefined;
    const given = call['arguments'] ?? call['parameters'] ?? {};
    calls.push({ name, arguments: typeof given === 'string' ? given : JSON.stringify(given) });
  }
  return calls.length > 0 ? calls : undefined;
}

/** Maximum nesting; `JSON.stringify` fails not far beyond. */
const deepest = 200;
const whiteSpace = /\s*/y;
const word = /[\w-]+/y;

class Cursor {
  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  get isAtEnd(): boolean {
    return this.at === this.text.length;
  }

  take(token: string): boolean {
    const isHere = this.text.startsWith(token, this.at);
    if (isHere) this.at += token.length;
    return isHere;
  }

  skipSpace(): void {
    this.match(whiteSpace);
  }

  takeName(): string | undefined {
    return this.match(word);
  }

  takeUntil(token: string): string | undefined {
    const end = this.text.indexOf(token, this.at);
    if (end < 0) return undefined;
    const before = this.text.slice(this.at, end);
    this.at = end + token.length;
    return before;
  }

  takeJson(): unknown {
    const end = this.endOfJson();
    if (end === undefined) return undefined;
    const value = parseJson(this.text.slice(this.at, end));
    this.at = end;
    return value;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private endOfJson(): number | undefined {
    let depth = 0;
    let isInString = false;
    for (let at = this.at; at < this.text.length; at++) {
      const character = this.text[at];
      if (isInString) {
        if (character === '\\') at++;
        else isInString = character !== '"';
      } else if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      else if (character === '"') isInString = true;
      if (depth === 0) return at > this.at ? at + 1 : undefined;
      if (depth < 0 || depth > deepest) return undefined;
    }
    return undefined;
  }
}
