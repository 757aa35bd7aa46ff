import * as l10n from '@vscode/l10n';
import type { RendererRule, Token } from 'markdown-it';
import { isSafeAddress, md, readTexts } from './parser.ts';
import type { References } from './limits.ts';
import { findPlaces, isLonePath } from './places.ts';

/** Tokens to HTML. A model's HTML is text but for a few elements without attributes, images are links, and only web and mail addresses are links. */

const rules: Record<string, (token: Token) => string> = {
  text: ({ content }) => withPlaces(content),
  code_inline: ({ content }) =>
    `<code>${isLonePath(content) ? placeSpan(content) : withPlaces(content)}</code>`,
  code_block: ({ content }) => renderCode(content, ''),
  fence: ({ content, info }) => renderCode(content, languageOf(info)),
  citation: ({ content }) => `<span class="citation">${escapeHtml(content)}</span>`,
  math: ({ content }) => `<span class="math">${escapeHtml(content)}</span>`,
  math_block: ({ content }) => `<p class="math">${escapeHtml(content)}</p>\n`,
  html_tag: ({ content }) => escapeHtml(content),
  plain: ({ content, tag }) => `<${tag} class="plain">${escapeHtml(content)}</${tag}>`,
  task: ({ info }) => {
    const name = info ? l10n.t('done') : l10n.t('to do');
    const icon = info ? 'pass-filled' : 'circle-large';
    return `<span class="task codicon codicon-${icon}" role="img" aria-label="${escapeHtml(name)}"></span> `;
  },
  /** Nothing is loaded: the alternative text links to the image, or belongs to the surrounding link. */
  image: (token) => {
    const label = escapeHtml(token.content || l10n.t('image'));
    const href = String(token.attrGet('src'));
    const address = escapeHtml(href);
    if (token.hidden) return label;
    if (!isSafeAddress(href)) return `<span title="${address}">${label}</span>`;
    return `<a href="${address}" title="${address}">${label}</a>`;
  },
};
for (const [type, rule] of Object.entries(rules)) {
  md.renderer.rules[type] = ((tokens, index) => {
    const token = tokens[index];
    return token ? rule(token) : '';
  }) satisfies RendererRule;
}

function renderCode(text: string, language: string): string {
  const attribute = language && ` class="language-${escapeHtml(language)}"`;
  return `<pre><code${attribute}>${escapeHtml(text.replace(/\n$/, ''))}</code></pre>\n`;
}

function withPlaces(text: string): string {
  let html = '';
  let done = 0;
  for (const { start, end } of findPlaces(text)) {
    html += escapeHtml(text.slice(done, start)) + placeSpan(text.slice(start, end));
    done = end;
  }
  return html + escapeHtml(text.slice(done));
}

/** Becomes a button once the host has said that the file is there. */
function placeSpan(text: string): string {
  return `<span class="place">${escapeHtml(text)}</span>`;
}

export function languageOf(info: string): string {
  return /^[\w#+.-]+/.exec(info.trim())?.[0] ?? '';
}

/** HTML that is not sanitized yet. */
export function render(tokens: Token[], references: References): string {
  return md.renderer.render(readTexts(tokens, references), md.options, { references });
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Also safe in a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
