import assert from 'node:assert/strict';
import {
  fitIndentation,
  writeReplacement,
  type InlineEdit,
} from '../../../../src/chat/editorRequests/inlineEdit.ts';
import { AnswerReader } from '../../../../src/chat/editorRequests/answerReader.ts';
import type { ModelEvent } from '../../../../src/relay/messages.ts';
import { scriptedModel } from '../../../support/scriptedModel.ts';

const never = new AbortController().signal;
const settings = { model: 'm', stream: true };

function editOf(text: string, part: string, more: Partial<InlineEdit> = {}): InlineEdit {
  const start = text.indexOf(part);
  return {
    ...{ path: 'src/tide.ts', text, start, end: start + part.length },
    ...{ instruction: 'Make it async', userInstructions: '', files: [] },
    ...more,
  };
}

const said = (...texts: string[]): ModelEvent[] => [
  ...texts.map((text) => ({ type: 'textAdded', text }) as const),
  { type: 'modelFinished', reason: 'stop' },
];

function onlyBlock(...pieces: string[]): string | undefined {
  const reader = new AnswerReader();
  for (const piece of pieces) reader.add(piece);
  return reader.end();
}

describe('an inline edit', () => {
  it('sends the part, what is around it without secrets, and what the user and the project ask for', async () => {
    const { ask, requests } = scriptedModel(said('```ts\nrise()\n```'));
    const text = `const key = "sk-${'a1B2'.repeat(12)}";\nfall();\nrest();\n`;
    const edit = editOf(text, 'fall();', {
      userInstructions: 'Speak like a sailor',
      files: [{ path: 'AGENTS.md', text: 'Use tabs' }],
    });
    assert.deepEqual(await writeReplacement(ask, edit, settings, never), { text: 'rise()' });
    const [system, user] = requests[0]!.messages;
    assert.match(system!.content, /^You edit a file[^]*Speak like a sailor[^]*<instructions-[^]*Use tabs/);
    assert.match(
      user!.content,
      /^<before-\w+>\nconst key = "[^"]*redacted[^]*<part-\w+ path="src\/tide.ts">\nfall\(\);\n<\/part[^]*<after-\w+>\n\nrest\(\);[^]*\n\nMake it async\n\n\[Answer/,
    );
    assert.doesNotMatch(user!.content, /a1B2a1B2/);
    assert.deepEqual([requests[0]!.tools, requests[0]!.model], [undefined, 'm']);
  });

  it('sends no rest of a secret that the piece around the part begins or ends in', async () => {
    const { ask, requests } = scriptedModel(said('```\n```'));
    const line = 'MIIE'.repeat(16);
    const key = ['-----BEGIN PRIVATE KEY-----', ...Array(99).fill(line), '-----END PRIVATE KEY-----', ''];
    const code = 'tide();\n'.repeat(300);
    const text = [key.join('\n'), code, 'fall();\n', code, key.join('\n')].join('');
    await writeReplacement(ask, editOf(text, 'fall();'), settings, never);
    const { content } = requests[0]!.messages[1]!;
    assert.match(content, /tide\(\);[^]*fall\(\);[^]*tide\(\);/);
    assert.doesNotMatch(content, /MIIEMIIE|PRIVATE KEY/);
  });

  it('sends no more than a piece around the part, in whole lines', async () => {
    const { ask, requests } = scriptedModel(said('```\n```'));
    const lines = Array.from({ length: 5000 }, (_, n) => `line ${n};\n`).join('');
    await writeReplacement(ask, editOf(lines, 'line 2500;'), settings, never);
    const { content } = requests[0]!.messages[1]!;
    const [, before = ''] = /^<before-\w+>\n(line \d+;\n[^]*line 2499;\n)\n<\/before/.exec(content) ?? [];
    const [, after = ''] = /<after-\w+>\n(\nline 2501;\n[^]*\nline \d+;\n)\n<\/after/.exec(content) ?? [];
    const { length } = before + after;
    assert.ok(length > 9_900 && length <= 10_000, String(length));
  });

  it('asks for a fence that no fence in the part can end', async () => {
    const { ask, requests } = scriptedModel(said('`````md\n````\na\n````\n`````'));
    const edit = editOf('# a\n````\nb\n````\n', '````\nb\n````');
    assert.deepEqual(await writeReplacement(ask, edit, settings, never), { text: '````\na\n````' });
    assert.match(requests[0]!.messages[1]!.content, /between ````` and `````,/);
  });

  it('tells the lines that have come, with the indentation that fits them', async () => {
    const lines: unknown[] = [];
    const { ask } = scriptedModel(said('Here: ``', '\n```\na', '\n  b\n', 'c', '\n``', '`\nDone.\n'));
    const edit = editOf('  x\n  y', '  x\n  y');
    await writeReplacement(ask, edit, settings, never, (count, text) => lines.push(count, text()));
    assert.deepEqual(lines, [2, '  a\n  b', 3, '  a\n    b\n  c']);
  });

  it('tells what was asked for before where the request is changed', async () => {
    const { ask, requests } = scriptedModel(said('```\n```'));
    await writeReplacement(ask, editOf('x', 'x', { earlier: 'Make it short' }), settings, never);
    const [system, user] = requests[0]!.messages;
    assert.match(system!.content, /<earlier-…> is what the user asked for before/);
    assert.match(user!.content, /<earlier-\w+>\nMake it short\n<\/earlier-\w+>\n\nMake it async/);
  });

  it('takes no answer that was cut off, and none that is not one block', async () => {
    const { ask } = scriptedModel(
      [
        { type: 'textAdded', text: '```\na\n```' },
        { type: 'modelFinished', reason: 'length' },
      ],
      said("I can't do that."),
    );
    const write = () => writeReplacement(ask, editOf('x', 'x'), settings, never);
    assert.deepEqual(await write(), {
      ...{ problem: 'The answer was cut off at the output limit.', answer: '```\na\n```' },
    });
    assert.deepEqual(await write(), {
      ...{ problem: "The model didn't answer with a single code block.", answer: "I can't do that." },
    });
  });

  for (const [answer, block] of [
    ['```ts\na\n\n  b\n```', 'a\n\n  b'],
    ['Here it is:\r\n\r\n```\r\na\r\nb\r\n```\r\nDone.', 'a\nb'],
    ['```\n```', ''],
    ['```\n\n```', ''],
    ['````\n```\na\n```\n````', '```\na\n```'],
    ['  ```\n  a\n  ```  ', '  a'],
    ['a', undefined],
    ['```\na', undefined],
    ['```\na\n```\n```\nb\n```', undefined],
    ['```\na\n```\n```\nb', undefined],
    ['`a` and ```b```', undefined],
  ] as const) {
    it(`reads ${JSON.stringify(answer)} as ${JSON.stringify(block)}`, () => {
      assert.equal(onlyBlock(answer), block);
      assert.equal(onlyBlock(...Array.from(answer)), block);
    });
  }

  it('reads a block between fences of any length', () => {
    const fence = '`'.repeat(100_000);
    assert.equal(onlyBlock(`${fence}\na\n${fence.slice(1)}\n${fence}`), `a\n${fence.slice(1)}`);
  });

  for (const [text, part, before, fitting] of [
    ['a\n  b', '    x\n    y', '', '    a\n      b'],
    ['    a\n    b', '    x', '', '    a\n    b'],
    ['a\n\n    b', '    x\n    y', '', '    a\n\n    b'],
    ['a\nb', 'x\n  y', '', 'a\nb'],
    ['\ta\n\tb', 'x\n\ty', '\t', 'a\n\tb'],
    ['a\n\tb', 'x\n\ty', '\t', 'a\n\tb'],
    ['', '    x', '', ''],
  ] as const) {
    it(`has ${JSON.stringify(text)} fit the indentation of ${JSON.stringify(before + part)}`, () => {
      assert.equal(fitIndentation(text, part, before), fitting);
    });
  }
});
