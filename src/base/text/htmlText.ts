import { Parser } from 'htmlparser2';
import { createGiveWay } from '../async/promises.ts';

/** Elements whose text is not part of what a page shows. */
const unread = new Set(
  'script style noscript template svg math iframe object canvas audio video select datalist nav dialog'.split(
    ' ',
  ),
);
const blocks = new Set(
  (
    'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr html legend li main ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);
const cells = new Set(['td', 'th']);

/** Deeper than in any page for readers: browsers flatten from 512 on. The parser's time grows with the depth. */
const deepest = 2000;
const pieceLength = 16_384;

export interface ReadPage {
  title: string;
  text: string;
  isCut: boolean;
}

/** The title and the visible text of an HTML page: headings and lists as in Markdown, a line for each block. */
export async function htmlToText(html: string, signal: AbortSignal): Promise<ReadPage> {
  const page = new PageText();
  const giveWay = createGiveWay(signal);
  const parser = new Parser({
    onopentag: (name, attributes) => page.open(name, attributes),
    onclosetag: (name) => page.close(name),
    ontext: (text) => page.add(text),
  });
  let at = 0;
  for (; at < html.length && page.depth <= deepest; at += pieceLength) {
    parser.write(html.slice(at, at + pieceLength));
    await giveWay();
  }
  const isCut = at < html.length;
  if (!isCut) parser.end();
  return { ...page.read(), isCut };
}

class PageText {
  depth = 0;
  private readonly pieces: string[] = [];
  private title = '';
  private isInTitle = false;
  private unreadDepth = 0;
  private preDepth = 0;
  private isAtLineStart = true;
  private hasSpace = false;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth++;
    if (this.unreadDepth > 0 || unread.has(name) || isHidden(attributes)) {
      this.unreadDepth++;
      return;
    }
    if (name === 'title') this.isInTitle = true;
    if (name === 'pre') this.preDepth++;
    if (name === 'br') this.breakLine();
    if (blocks.has(name)) this.block(name);
    if (cells.has(name) && !this.isAtLineStart) this.put(' | ');
    if (name === 'img' && attributes['alt']) this.add(attributes['alt']);
  }

  close(name: string): void {
    this.depth--;
    if (this.unreadDepth > 0) {
      this.unreadDepth--;
      return;
    }
    if (name === 'title') this.isInTitle = false;
    if (name === 'pre') this.preDepth = Math.max(0, this.preDepth - 1);
    if (blocks.has(name)) this.block();
  }

  add(text: string): void {
    if (this.unreadDepth > 0) return;
    if (this.isInTitle) {
      this.title += text;
      return;
    }
    if (this.preDepth > 0) {
      this.pieces.push(text);
      this.isAtLineStart = text.endsWith('\n');
      return;
    }
    const words = text.split(/\s+/);
    if (words[0] === '') this.hasSpace = true;
    const written = words.filter(Boolean).join(' ');
    if (written === '') return;
    this.put((this.hasSpace && !this.isAtLineStart ? ' ' : '') + written);
    this.hasSpace = words.at(-1) === '';
  }

  read(): { title: string; text: string } {
    const text = this.pieces.join('').replace(/\n{3,}/g, '\n\n');
    return { title: this.title.split(/\s+/).join(' ').trim(), text: text.trim() };
  }

  private block(name = ''): void {
    this.breakLine();
    const [, level] = /^h([1-6])$/.exec(name) ?? [];
    if (level) this.pieces.push(`\n${'#'.repeat(Number(level))} `);
    else if (name === 'li') this.pieces.push('- ');
    else if (name === 'p' || name === 'pre' || name === 'table') this.pieces.push('\n');
  }

  private breakLine(): void {
    if (!this.isAtLineStart) this.pieces.push('\n');
    this.isAtLineStart = true;
    this.hasSpace = false;
  }

  private put(text: string): void {
    this.pieces.push(text);
    this.isAtLineStart = false;
  }
}

/** Text that a page hides from its reader is not what the user means to attach. */
function isHidden({ hidden, style = '', 'aria-hidden': ofAria }: Readonly<Record<string, string>>): boolean {
  return (
    hidden !== undefined || ofAria === 'true' || /display\s*:\s*none|visibility\s*:\s*hidden/i.test(style)
  );
}
