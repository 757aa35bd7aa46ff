import { text } from '../appStep.ts';
import type { ScriptedApp } from '../scriptedApp.ts';
import { quoteFile } from './echo.ts';
import { longText } from '../../../models/longText.ts';

export const rewrite: ScriptedApp = {
  mode: 'completion',
  key: 'app-sandboxcompletion',
  name: 'Rewrite',
  describe: 'Rewrites a text in a chosen style: it shouts, whispers or numbers the lines.',
  tags: ['writing'],
  form: [
    { kind: 'paragraph', variable: 'query', label: 'Text to rewrite', required: true, max_length: 20_000 },
    {
      kind: 'select',
      variable: 'style',
      label: 'Style',
      options: ['shout', 'whisper', 'numbered'],
      default: 'shout',
    },
  ],
  files: { types: ['document', 'custom'], extensions: ['.md', '.txt', '.ts', '.py'], maxFiles: 2 },
  *answer({ inputs, query, files }) {
    const { query: asked } = inputs;
    const source = typeof asked === 'string' ? asked : query;
    const lines = /\b(\d{1,6})\s+lines\b/i.exec(source)?.[1];
    yield text(lines === undefined ? inStyle(source, inputs['style']) : longText(Number(lines)));
    for (const file of files) yield text(`\n\n${quoteFile(file)}`);
  },
};

function inStyle(source: string, style: unknown): string {
  if (style === 'whisper') return `*${source.toLowerCase()}*`;
  if (style === 'numbered') {
    return source
      .split('\n')
      .map((line, index) => `${index + 1}. ${line}`)
      .join('\n');
  }
  return source.toUpperCase();
}
