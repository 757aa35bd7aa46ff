import { longestPictureData } from './answerPictures.ts';

export interface DataAddressSink {
  text(text: string): void;
  counted(characters: number): void;
  picture(base64: string): boolean;
  omitted(reason: 'size' | 'type' | 'cut'): void;
}

const address = 'data:image/';
/** Longer beginnings of a Markdown image are ordinary text. */
const longestLead = 600;
/** In characters; shorter data is an example. Outside of a Markdown image, much more is required. */
const leastData = { markdown: 40, bare: 1000 };

const beginning = /!|data:image\/|d(?:a(?:t(?:a(?::(?:i(?:m(?:a(?:g(?:e)?)?)?)?)?)?)?)?)?$/gi;
const lead = /^!\[[^\]\n]{0,300}\]\(\s{0,3}<?/;
const partialLead = /^!(?:\[[^\]\n]{0,300}(?:\](?:\(\s{0,3}<?)?)?)?$/;
const head = /^data:image\/[\w.+-]{1,40}(?:;[\w.=-]{1,40}){0,3};base64,/i;
const partialHead = /^data:image\/[\w.+;=-]{0,200}$/i;
const afterData = /[^A-Za-z0-9+/=_-]/;
const closing = /^>?(?:\s{1,3}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'))?\s{0,3}\)/;
const partialClosing = /^>?(?:\s{1,3}(?:"[^"\n]{0,200}"?|'[^'\n]{0,200}'?)?)?\s{0,3}$/;

interface OpenPicture {
  begun: string;
  isMarkdown: boolean;
  pieces: string[];
  size: number;
}

const fence = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** A fence's closing line is never longer, and an opening one is recognized by its beginning. */
const longestStart = 200;

/** Reads Markdown images with base64 addresses and long bare addresses, not in code. Holds back only possible ones. */
export class DataAddressReader {
  private held = '';
  private open: OpenPicture | undefined;
  private readonly code = new CodeTracker();

  constructor(private readonly sink: DataAddressSink) {}

  add(piece: string): void {
    let rest: string | undefined = piece;
    while (rest !== undefined) rest = this.open ? this.readData(this.open, rest) : this.readText(rest);
  }

  /** Flushes held text; an unclosed picture is lost. */
  end(): void {
    const { open, held } = this;
    this.open = undefined;
    this.held = '';
    if (open?.isMarkdown && held === '') return this.sink.omitted('cut');
    if (open) this.close(open);
    this.say(held);
  }

  private readText(piece: string): string | undefined {
    const text = this.held + piece;
    this.held = '';
    let said = 0;
    beginning.lastIndex = 0;
    for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
      const at = found.index;
      beginning.lastIndex = at + 1;
      const rest = text.slice(at, at + longestLead);
      const opening = lead.exec(rest)?.[0] ?? '';
      const named = head.exec(rest.slice(opening.length))?.[0];
      const isPartial =
        named === undefined &&
        at + rest.length === text.length &&
        rest.length < longestLead &&
        mayBegin(rest);
      if (named === undefined && !isPartial) continue;
      this.say(text.slice(said, at));
      said = at;
      if (this.code.isInCode) continue;
      if (named === undefined) {
        this.held = rest;
        return undefined;
      }
      const begun = opening + named;
      this.open = { begun, isMarkdown: opening !== '', pieces: [], size: 0 };
      return text.slice(at + begun.length);
    }
    this.say(text.slice(said));
    return undefined;
  }

  private readData(open: OpenPicture, piece: string): string | undefined {
    if (this.held) return this.readClosing(open, this.held + piece);
    const end = piece.search(afterData);
    const data = end < 0 ? piece : piece.slice(0, end);
    this.sink.counted(data.length);
    open.size += data.length;
    if (open.size > longestPictureData) open.pieces = [];
    else open.pieces.push(data);
    if (end < 0) return undefined;
    if (open.isMarkdown) return this.readClosing(open, piece.slice(end));
    this.open = undefined;
    this.close(open);
    return piece.slice(end);
  }

  private readClosing(open: OpenPicture, text: string): string | undefined {
    const closed = closing.exec(text)?.[0];
    if (closed === undefined && partialClosing.test(text)) {
      this.held = text;
      return undefined;
    }
    this.held = '';
    this.open = undefined;
    this.close(open, closed);
    return text.slice(closed?.length ?? 0);
  }

  private close({ begun, isMarkdown, pieces, size }: OpenPicture, closed = ''): void {
    if (size > longestPictureData) this.sink.omitted('size');
    else if (size < (isMarkdown ? leastData.markdown : leastData.bare)) {
      this.say(begun + pieces.join('') + closed);
    } else if (!this.sink.picture(pieces.join(''))) this.sink.omitted('type');
  }

  private say(text: string): void {
    if (!text) return;
    this.code.add(text);
    this.sink.text(text);
  }
}

function mayBegin(text: string): boolean {
  if (partialLead.test(text)) return true;
  const rest = text.replace(lead, '').toLowerCase();
  return rest.length < address.length ? address.startsWith(rest) : partialHead.test(rest);
}

class CodeTracker {
  private opened: string | undefined;
  private start = '';
  private isInSpan = false;

  get isInCode(): boolean {
    return this.opened !== undefined || this.isInSpan || fence.test(this.start);
  }

  add(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.goOn(text, from, end);
      this.endLine();
      from = end + 1;
    }
    this.goOn(text, from, text.length);
  }

  private goOn(text: string, from: number, to: number): void {
    const free = longestStart - this.start.length;
    if (free > 0) this.start += text.slice(from, Math.min(to, from + free));
    for (let at = text.indexOf('`', from); at >= 0 && at < to; at = text.indexOf('`', at + 1)) {
      this.isInSpan = !this.isInSpan;
    }
  }

  private endLine(): void {
    const [, marks = '', info = ''] = fence.exec(this.start.trimEnd()) ?? [];
    if (this.opened === undefined) {
      // A line such as ```code``` is a span.
      if (marks && !(marks.startsWith('`') && info.includes('`'))) this.opened = marks;
    } else if (marks.startsWith(this.opened) && info === '') this.opened = undefined;
    this.start = '';
    this.isInSpan = false;
  }
}
