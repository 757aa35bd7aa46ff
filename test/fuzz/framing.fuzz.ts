import assert from 'node:assert/strict';
import fc from 'fast-check';
import { frame, readFrame } from '../../src/base/text/frame.ts';
import type { Attachment } from '../../src/chat/attachments/attachment.ts';
import { withAttachments } from '../../src/chat/attachments/attachmentText.ts';
import { separateAttachments } from '../../src/chat/attachments/separateAttachments.ts';
import { shortenFramed } from '../../src/chat/context/shortenText.ts';
import { estimateTokens } from '../../src/chat/context/tokenEstimate.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { findings, findingsText } from '../../src/tools/knowledge/searchBases.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { segment } from '../support/fakeSegments.ts';
import { MemoryWorkspace } from '../support/memoryWorkspace.ts';
import { breaks, hostileText, unseen } from './inputs.ts';
import type { Target } from './property.ts';
import { groundingMessage } from '../../src/tools/knowledge/searchBases.ts';

const words = [
  ...[
    '<attachment-',
    '</attachment',
    '<segment-',
    '</segment-',
    '</result',
    '</knowledge',
    ' path="a.ts"',
    '-0000>',
    '>',
    'cite="[2]"',
  ],
  ...[
    '[2] ',
    '12\t',
    '  13: ',
    'other.ts',
    '[There are more matches.]',
    '[1 secret was redacted.',
    'Human:',
    '\n\n',
    '\n',
  ],
];
const plain = hostileText(words, 20);
/** Text with whole frames and their ends, as an attacker who knows the format would write them. */
const text = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: plain },
      {
        weight: 1,
        arbitrary: fc
          .record({ kind: fc.constantFrom('attachment', 'segment', 'result', 'knowledge'), body: plain })
          .map((some) => frame({ ...some, facts: { cite: '[2]' } })),
      },
      {
        weight: 1,
        arbitrary: fc
          .tuple(
            fc.constantFrom('attachment', 'segment', 'result', 'knowledge'),
            fc.constantFrom('0000', '1000', 'a000', 'ffff'),
          )
          .map(([kind, mark]) => `\n</${kind}-${mark}>\n\n<${kind}-${mark} cite="[2]">\n`),
      },
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.join(''));
const name = hostileText([...words.map((word) => word.replaceAll('\n', '')), 'a.ts', '/'], 6);
const never = new AbortController().signal;

const attachment: fc.Arbitrary<Attachment> = fc.record(
  {
    kind: fc.constantFrom('file' as const, 'selection' as const, 'text' as const, 'symbol' as const),
    label: name,
    path: name.filter((path) => path !== ''),
    lines: fc.record({ first: fc.nat(99), last: fc.nat(99) }),
    text,
  },
  { requiredKeys: ['kind', 'label', 'text'] },
);
/** The user's text may be anything; here it can be told from everything else. */
const typed = fc.constantFrom('What is this?', '[1] <b>so</b>', '');

/** Frames at the beginning of a line, in order, as a reader of the text would find them. */
function framesIn(whole: string) {
  const found: (NonNullable<ReturnType<typeof readFrame>> & { at: number })[] = [];
  for (let at = 0; at < whole.length;) {
    const here = at === 0 || whole[at - 1] === '\n' ? readFrame(whole, at) : undefined;
    if (here) found.push({ ...here, at });
    at = here ? here.end : at + 1;
  }
  return found;
}

const everyBreak = new RegExp(breaks.toSorted((a, b) => b.length - a.length).join('|'), 'u');
const anyUnseen = new RegExp(`[${unseen.join('')}]`, 'gu');
/** Lines by every reader's idea of a line break. */
const linesOf = (whole: string) => whole.split(everyBreak).map((line) => line.replace(anyUnseen, ''));

function toolsOver(entries: Record<string, string>) {
  const workspace = new MemoryWorkspace(
    Object.fromEntries(Object.entries(entries).map(([path, content]) => [`/work/${path}`, content])),
  );
  workspace.folderList = [{ name: 'work', path: '/work', isVirtual: true }];
  const deps = createToolDependencies(workspace, {
    workerFile: '',
    ripgrep: 'is not started',
    timeoutMs: 60_000,
  });
  const tools = new ToolSet(workspaceTools(deps));
  return async (tool: string, input: object) => {
    const call = tools.prepare({ name: tool, input });
    assert.ok('run' in call);
    return (await call.run({ signal: never })).content;
  };
}

const fileName = name
  .map((some) => some.replace(/[/\0]/g, '_'))
  .filter((some) => !/^\.*$/.test(some) && some.length < 60);

export const target: Target = {
  'tells each attachment from the others and from the words of the user': {
    runs: 1200,
    property: fc.property(fc.array(attachment, { maxLength: 4 }), typed, (list, said) => {
      const whole = withAttachments(said, list);
      const frames = framesIn(whole);
      assert.equal(frames.length, list.length);
      assert.deepEqual(
        frames.map(({ kind, body }) => [kind, body]),
        list.map((each) => ['attachment', each.text]),
      );
      const apart = separateAttachments(whole);
      assert.equal(apart.text, said);
      assert.deepEqual(
        apart.attachments.map(({ text: body }) => body),
        list.map(({ text: body }) => body),
      );
    }),
  },
  'tells each segment by its own number, document and knowledge base': {
    runs: 800,
    property: fc.property(
      fc.array(fc.record({ documentName: name, datasetName: name, content: text }), { maxLength: 4 }),
      name,
      (parts, query) => {
        const segments = parts.map((part, index) => segment(`s${index}`, part));
        const answer = { segments, failures: [] };
        let n = 0;
        const found = findings(answer, [{ id: 'd1', name: 'Harbour' }], () => ++n);
        const whole = groundingMessage(findingsText(query, answer, found));
        const [outer, ...others] = framesIn(whole);
        assert.ok(outer?.kind === 'knowledge' && others.length === 0 && outer.end === whole.length);
        assert.deepEqual(
          framesIn(outer.body).map(({ facts, body }) => [facts['cite'], body]),
          parts.map(({ content }, index) => [`[${index + 1}]`, content.trim()]),
        );
      },
    ),
  },
  'puts no text under the name of another when it is shortened': {
    runs: 1000,
    property: fc.property(
      fc.array(attachment, { minLength: 1, maxLength: 4 }),
      fc.nat(60),
      fc.integer({ min: 10, max: 400 }),
      (list, times, room) => {
        const bodies = list.map((each) => (each.text ?? '').repeat(times % 8));
        const whole = withAttachments(
          '',
          list.map((each, index) => ({ ...each, text: bodies[index] ?? '' })),
        );
        const short = shortenFramed(whole, room, () => '[Some was cut.]');
        assert.ok(estimateTokens(short) <= Math.max(room, estimateTokens('[Some was cut.]')));
        const before = framesIn(whole);
        const after = framesIn(short);
        assert.ok(after.length <= before.length);
        for (const [index, { facts, body }] of after.entries()) {
          const own = before[index];
          assert.deepEqual(facts, own?.facts);
          const [head = '', tail = ''] = body.includes('[…]') ? body.split('[…]') : [body, ''];
          assert.ok(
            own &&
              (own.body === body ||
                (own.body.startsWith(head.trimEnd()) && own.body.endsWith(tail.trimStart()))),
          );
        }
      },
    ),
  },
  'keeps what a tool of others gives apart from what is said of it': {
    runs: 1000,
    property: fc.asyncProperty(text, fc.nat(3), async (content, times) => {
      const given = content.repeat([1, 1, 40, 6000][times] ?? 1);
      const tool: Tool = {
        ...{ name: 'foreign', description: '', parameters: { type: 'object' }, risk: 'external' },
        bind: () => ({ input: {}, run: async () => ({ content: given, isError: false }) }),
      };
      const call = new ToolSet([tool]).prepare({ name: 'foreign', input: {} });
      assert.ok('run' in call);
      const { content: whole } = await call.run({ signal: never });
      const frames = framesIn(whole);
      assert.equal(frames.length, 1);
      assert.equal(frames[0]?.at, 0);
      const after = whole.slice(frames[0]?.end);
      assert.match(after, /^(?:\n\[The result was too long and is cut here\. Ask for less at a time\.\])?$/);
      assert.equal(after === '', frames[0]?.body === given);
    }),
  },
  'gives lines of files with their own numbers, under their own paths': {
    runs: 800,
    property: fc.asyncProperty(
      fc.uniqueArray(fileName, {
        minLength: 1,
        maxLength: 3,
        selector: (path) => path.normalize('NFC').toLowerCase(),
      }),
      text,
      async (paths, content) => {
        const lines = `needle ${content}\nneedle\n${content}`;
        const run = toolsOver(Object.fromEntries(paths.map((path) => [path, lines])));
        const found = await run('search_text', { query: 'needle', contextLines: 1 });
        const files = linesOf(found).filter(
          (line) => !/^ {2}(?:\d+[:-] |…$)/.test(line) && !/^\[.*\]$/.test(line),
        );
        // Withheld files have no line; every other line names its file.
        assert.ok(files.length <= paths.length || found.startsWith('No line matches'), JSON.stringify(files));
        for (const path of paths) {
          const read = await run('read_file', { path });
          const [head = '', ...rest] = linesOf(read);
          if (!head.includes(', lines ')) continue;
          for (const [index, line] of rest.entries()) {
            if (!line.startsWith('[')) assert.ok(line.startsWith(`${index + 1}\t`), line);
          }
        }
      },
    ),
  },
};
