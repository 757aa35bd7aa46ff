import assert from 'node:assert/strict';
import { hostileTexts } from '../../../bench/hostileTexts.ts';
import { toSpoken } from '../../../../src/webview/markdown/spokenText.ts';

describe('an answer as it is read out', () => {
  it('has the words without the signs of Markdown', () => {
    const text = [
      '## What *changes*',
      'The **parser** keeps `one` token, see [the notes](https://example.com) [1] and \\(a_1\\).',
      '- [x] first\n- second\n  1. nested',
      '```ts\nconst a = 1;\n```',
      '| a | b |\n|---|---|\n| 1 | ~~2~~ |',
      '> quoted\n> on\n\n![a picture](https://example.com/a.png)',
      '$$\nx\n$$',
    ].join('\n\n');
    assert.equal(
      toSpoken(text),
      [
        ...[
          'What changes',
          'The parser keeps one token, see the notes and a_1.',
          'done: first',
          'second',
          'nested',
        ],
        ...['Code, ts', 'a, b,', '1, 2,', 'quoted on', 'a picture', 'x'],
      ].join('\n'),
    );
  });

  it('is there whatever a model writes', () => {
    for (const text of Object.values(hostileTexts)) assert.equal(typeof toSpoken(text(2000)), 'string');
    assert.match(toSpoken(`${'> '.repeat(3000)}words`), /words/);
  });
});
