import * as l10n from '@vscode/l10n';
import {
  Lexer,
  Parser,
  Renderer,
  Tokenizer,
  type Links,
  type MarkedOptions,
  type Token,
  type Tokens,
} from 'marked';
import { readCitation } from './citationToken.ts';
import { escapeHtml } from './escapeHtml.ts';
import { blockMathStart, inlineMathStart, readBlockMath, readInlineMath } from './math.ts';
import { findPlaces } from './places.ts';

/** Markdown → HTML, the words of a model: HTML in it is text, images are links, only web and mail addresses link. */

const safeAddress = /^(?:https?:\/\/|mailto:)/i;

class AnswerRenderer extends Renderer {
  override html({ text, block }: Tokens.HTML | Tokens.Tag): string {
    return block ? `<p class="raw-html">${escapeHtml(text.trimEnd())}</p>\n` : escapeHtml(text);
  }

  override code({ text, lang }: Tokens.Code): string {
    const language = languageOf(lang);
    return `<pre><code${language && ` class="language-${escapeHtml(language)}"`}>${escapeHtml(text)}</code></pre>\n`;
  }

  override codespan({ text }: Tokens.Codespan): string {
    return `<code>${withPlaces(text, escapeHtml)}</code>`;
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    if ('tokens' in token && token.tokens) return this.parser.parseInline(token.tokens);
    const isEscaped = 'escaped' in token && token.escaped === true;
    return withPlaces(token.text, isEscaped ? (piece) => piece : escapeHtml);
  }

  override link({ href, tokens }: Tokens.Link): string {
    return anchor(href, this.parser.parseInline(tokens));
  }

  /** Nothing is loaded from anywhere: the picture's words link to it. */
  override image({ href, text }: Tokens.Image): string {
    return anchor(href, escapeHtml(text || l10n.t('image')));
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    const name = checked ? l10n.t('done') : l10n.t('to do');
    const icon = checked ? 'pass-filled' : 'circle-large';
    return `<span class="task codicon codicon-${icon}" role="img" aria-label="${escapeHtml(name)}"></span> `;
  }

  override list(token: Tokens.List): string {
    return `${listTag(token)}${token.items.map((item) => this.listitem(item)).join('')}</${listName(token)}>\n`;
  }

  override table(token: Tokens.Table): string {
    const rows = token.rows.map((row) => this.row(row)).join('');
    return `<table>${this.head(token)}<tbody>${rows}</tbody></table>\n`;
  }

  head(token: Tokens.Table): string {
    return `<thead>${this.row(token.header)}</thead>`;
  }

  row(cells: Tokens.TableCell[]): string {
    return this.tablerow({ text: cells.map((cell) => this.tablecell(cell)).join('') });
  }
}

/** Places in files as what they may be: whether there is such a file is asked when it is opened. */
function withPlaces(text: string, escape: (piece: string) => string): string {
  let html = '';
  let done = 0;
  for (const { start, end } of findPlaces(text)) {
    html += `${escape(text.slice(done, start))}<span class="place">${escape(text.slice(start, end))}</span>`;
    done = end;
  }
  return html + escape(text.slice(done));
}

function anchor(href: string, label: string): string {
  const address = escapeHtml(href);
  // Shown as text, with what it would have opened: nothing is hidden from the reader.
  if (!safeAddress.test(href)) return `<span title="${address}">${label}</span>`;
  return `<a href="${address}" title="${address}">${label}</a>`;
}

class AnswerTokenizer extends Tokenizer {
  /** What underlines a heading does not stand behind mathematics; without this it would be looked for there. */
  override lheading(source: string): Tokens.Heading | undefined {
    const end = blockMathStart(source);
    return super.lheading(end < 0 ? source : source.slice(0, end));
  }
}

const options: MarkedOptions = {
  gfm: true,
  tokenizer: new AnswerTokenizer(),
  extensions: {
    inline: [
      function (source) {
        const { state, tokens } = this.lexer;
        return state.inLink ? undefined : readCitation(source, tokens.links);
      },
      readInlineMath,
    ],
    block: [readBlockMath],
    startInline: [inlineMathStart],
    startBlock: [blockMathStart],
    renderers: {
      // Which of them have a source is not known here, so each is drawn as what it may stay.
      citation: ({ raw }) => `<span class="citation">${escapeHtml(raw)}</span>`,
      math: ({ raw }) => `<code class="math">${escapeHtml(raw)}</code>`,
      mathBlock: ({ raw }) => `<p class="math">${escapeHtml(raw.trim())}</p>\n`,
    },
    childTokens: {},
  },
};
const renderer = new AnswerRenderer();
const parser = new Parser({ ...options, renderer });

/** The language a fence names: the first word of its info string. */
export function languageOf(info: string | undefined): string {
  return /^[\w#+.-]+/.exec(info ?? '')?.[0] ?? '';
}

/** Line ends as marked counts them, so that lengths of tokens are positions in the text. */
export function normalizeLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The top-level tokens of a text; `links` are the definitions that came before it. */
export function lex(text: string, links: Links = {}): Token[] {
  const lexer = new Lexer(options);
  Object.assign(lexer.tokens.links, links);
  return lexer.lex(text);
}

/** One top-level token as one element. */
export function renderToken(token: Token): string {
  const html = parser.parse([token]);
  return token.type === 'text' ? `<p>${html}</p>\n` : html;
}

/** The whole text as HTML in one go, not yet sanitised. */
export function renderWhole(text: string): string {
  return lex(normalizeLineEnds(text)).map(renderToken).join('');
}

export function listName(token: Tokens.List): 'ol' | 'ul' {
  return token.ordered ? 'ol' : 'ul';
}

export function listTag(token: Tokens.List): string {
  const start = token.ordered && token.start !== 1 ? ` start="${token.start}"` : '';
  return `<${listName(token)}${start}>`;
}

export function renderItem(item: Tokens.ListItem): string {
  useParser();
  return renderer.listitem(item);
}

export function renderHead(table: Tokens.Table): string {
  useParser();
  return renderer.head(table);
}

export function renderRow(cells: Tokens.TableCell[]): string {
  useParser();
  return renderer.row(cells);
}

/** A renderer asked for a part outside of `parse` has not been told its parser. */
function useParser(): void {
  renderer.parser = parser;
}
