import * as l10n from '@vscode/l10n';
import type { Token } from 'markdown-it';
import { Passage } from './blocks.ts';
import { readTexts } from './parser.ts';
import { languageOf } from './render.ts';

export function toSpoken(text: string): string {
  const passage = new Passage(text, {});
  const spoken = passage.sections.map(({ tokens }) => sayTokens(readTexts(tokens, passage.references)));
  const { end = 0 } = passage.sections.at(-1) ?? {};
  return [...spoken, text.slice(end)]
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();
}

function sayTokens(tokens: readonly Token[]): string {
  return tokens.map(sayToken).join('');
}

function sayToken({ type, content, info, children }: Token): string {
  switch (type) {
    case 'fence':
    case 'code_block': {
      const language = languageOf(info);
      return `${language ? l10n.t('Code, {0}', language) : l10n.t('Code')}\n`;
    }
    case 'inline':
      return children ? sayTokens(children) : content;
    case 'math':
    case 'math_block':
      return content.replace(/^(?:\\[([]|\$\$?)|(?:\\[)\]]|\$\$?)$/g, '');
    // Citations are buttons in the text.
    case 'citation':
      return '';
    case 'task':
      return `${info ? l10n.t('done') : l10n.t('to do')}: `;
    case 'softbreak':
    case 'hardbreak':
      return ' ';
    case 'td_close':
    case 'th_close':
      return ', ';
    case 'paragraph_close':
    case 'heading_close':
    case 'summary_close':
    case 'list_item_close':
    case 'tr_close':
      return '\n';
    default:
      return content;
  }
}
