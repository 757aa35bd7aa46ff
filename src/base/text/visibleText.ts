import * as l10n from '@vscode/l10n';
import { onDemand } from '../async/lazy.ts';
import { formatNumber } from './format.ts';

const joinedScripts = 'Arab Syrc Mong Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr'
  .split(' ')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/** Joiners within emoji and joined scripts are kept. */
const hidden = [
  '(?![\\t\\n])',
  '(?!(?<=\\p{Extended_Pictographic})\\ufe0f)',
  '(?!(?<=\\p{Extended_Pictographic}\\ufe0f?)\\u200d\\p{Extended_Pictographic})',
  `(?!(?<=[${joinedScripts}])[\\u200c\\u200d][${joinedScripts}])`,
  '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]',
].join('');
/** Takes milliseconds to create, which is too long where a window opens. */
const unseen = onDemand(() => new RegExp(hidden, 'gu'));

/** Letters beside which an ideographic space is ordinary. */
const wide = '[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Hang}\\u3001-\\u303f\\uff00-\\uffef]';
const oddSpaces = `(?!(?<=(?:^|${wide})\\u3000{0,3})\\u3000{1,4}${wide})(?! )[\\p{Zs}\\u2800]`;
const runsOfUnseen = onDemand(() => new RegExp(`(${hidden}|${oddSpaces})\\1*`, 'gmu'));

const emptyLines = /^(?:[ \t]*\n){3,}/gm;
const mostSpaces = 40;
const spaces = new RegExp(`^([ \\t]+)|[ \\t]{${mostSpaces},}|\\t`, 'gm');

/** Characters that some readers treat as line ends, beside `\n`. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const oddLineEnds = /[\r\v\f\x1c-\x1e\x85\u2028\u2029]/g;

const plain = /^[ -~]*$/;

/** Text for decisions of the user: unseen and look-alike characters become `⟨U+202E⟩`, long runs their length. */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(runsOfUnseen(), (run, one: string) => {
      const times = run.length / one.length;
      return times === 1 ? writtenOut(one) : writtenOut(one).replace('⟩', ` × ${formatNumber(times)}⟩`);
    })
    .replace(
      emptyLines,
      (run) => `${l10n.t('⟨{0} empty lines⟩', formatNumber(run.split('\n').length - 1))}\n`,
    )
    .replace(spaces, (run, indent?: string) => {
      if (run.length >= mostSpaces) return l10n.t('⟨{0} spaces⟩', formatNumber(run.length));
      return indent ?? '→\t';
    });
}

export function visibleName(name: string): string {
  return plain.test(name) ? name : name.replace(/[\t\r\n]/g, writtenOut).replace(unseen(), writtenOut);
}

/** The offset of the first character that is not seen; -1 if there is none. */
export function unseenAt(text: string): number {
  return text.search(unseen());
}

export function visibleLine(line: string): string {
  return line.replace(oddLineEnds, writtenOut);
}

export function asWritten(text: string): string {
  return text.replace(/⟨U\+([0-9A-F]{4,5})⟩/g, (_, code: string) => String.fromCodePoint(parseInt(code, 16)));
}

function writtenOut(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
