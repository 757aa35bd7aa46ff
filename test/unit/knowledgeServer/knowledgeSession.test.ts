import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { readSourceInput, searchKnowledgeInput } from '../../../src/knowledge/foundSources.ts';
import { knowledgeTools } from '../../../src/knowledgeServer/bridge/toolDefinitions.ts';
import { KnowledgeSession } from '../../../src/knowledgeServer/knowledgeSession.ts';
import { type SessionParts, sessionUnderTest } from '../../support/bridgeWindow.ts';
import { segment } from '../../support/fakeSegments.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';

const { signal } = new AbortController();
const rules = segment('rules.md', {
  content: 'Three knots in the basin.',
  origin: { path: 'docs/rules.md' },
});

function setUp(parts: SessionParts = {}) {
  const made = sessionUnderTest({ segments: [rules], ...parts });
  const session = new KnowledgeSession(made.deps, { configuration: '', folder: '' });
  const call = (tool: string, input?: unknown) => session.call(tool, input, 'codex', signal);
  return { ...made, session, call };
}

describe('the tools that other programs are told of', () => {
  for (const [name, schema] of [
    ['search_knowledge', searchKnowledgeInput],
    ['read_source', readSourceInput],
  ] as const) {
    it(`take what a call of ${name} may have`, () => {
      const told = knowledgeTools.find((tool) => tool.name === name)!.inputSchema;
      const { properties, required } = z.toJSONSchema(schema, {
        override: ({ jsonSchema }) => {
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        },
      });
      const withoutWords = Object.entries(told.properties).map(([key, { description, ...rest }]) => {
        assert.ok(typeof description === 'string' && /^[A-Z].*\.$/.test(description), key);
        return [key, rest];
      });
      assert.deepEqual(Object.fromEntries(withoutWords), properties);
      assert.deepEqual(told.required, required);
    });
  }
});

describe('calls of other programs', () => {
  it('find nothing and ask nothing in a workspace that is not trusted', async () => {
    const { call, asked, searches } = setUp({ more: { isTrusted: () => false } });
    for (const tool of ['search_knowledge', 'list_knowledge_bases', 'read_source', 'run_workflow']) {
      const { text, isError } = await call(tool, { query: 'basin', source: 1 });
      assert.equal(isError, true);
      assert.match(text, /isn't trusted/);
    }
    assert.deepEqual([asked, searches], [[], []]);
  });

  it('say that no platform is connected', async () => {
    const { call } = setUp({ more: { knowledge: async () => undefined } });
    for (const tool of ['search_knowledge', 'list_knowledge_bases', 'read_source']) {
      assert.match((await call(tool, { query: 'basin', source: 1 })).text, /No platform is connected/);
    }
  });

  it('search those that are named, else those that are chosen, else all', async () => {
    const bases = [
      { id: 'd1', name: 'Harbour' },
      { id: 'd2', name: 'Ships' },
    ];
    const { call, searches } = setUp({ bases });
    await call('search_knowledge', { query: 'basin' });
    await call('search_knowledge', { query: 'basin', knowledge_bases: ['Ships'], top_k: 2 });
    assert.deepEqual(searches, [
      { query: 'basin', datasetIds: ['d1', 'd2'], topK: undefined },
      { query: 'basin', datasetIds: ['d2'], topK: 2 },
    ]);
    const chosen = setUp({ bases, more: { chosen: () => bases.slice(1) } });
    await chosen.call('search_knowledge', { query: 'basin' });
    assert.deepEqual(chosen.searches[0]?.datasetIds, ['d2']);
  });

  it('learn no name of a knowledge base without asking', async () => {
    const bases = [{ id: 'd1', name: 'Plans of the merger' }];
    const { call, asked } = setUp({ bases, ask: async () => 'deny' });
    const unknown = await call('search_knowledge', { query: 'basin', knowledge_bases: ['Ships'] });
    assert.equal(asked.length, 0);
    const searched = await call('search_knowledge', { query: 'basin' });
    const listed = await call('list_knowledge_bases');
    assert.equal(asked.length, 2);
    for (const { text, isError } of [unknown, searched, listed]) {
      assert.equal(isError, true);
      assert.ok(!text.includes('merger'), text);
    }
  });

  it('list names in a frame', async () => {
    const { call } = setUp({ bases: [{ id: 'd1', name: 'A\nB' }] });
    const { text, isError } = await call('list_knowledge_bases');
    assert.equal(isError, false);
    assert.match(text, /^<knowledge-[0-9a-f]+>\n- A B\n<\/knowledge-[0-9a-f]+>$/);
  });

  it('send nothing to the platform when denied, and are logged', async () => {
    const { call, searches, lines } = setUp({ ask: async () => 'deny' });
    const { text, isError } = await call('search_knowledge', { query: 'the basin' });
    assert.equal(isError, true);
    assert.match(text, /The user denied this/);
    assert.deepEqual(searches, []);
    await call('list_knowledge_bases');
    assert.deepEqual(lines, [
      '?codex searched "Harbour" for "the basin", which was denied.',
      '?codex listed the knowledge bases, which was denied.',
    ]);
  });

  it('are logged with program and question, without secrets in it', async () => {
    const { call, lines } = setUp();
    await call('search_knowledge', { query: `basin\nsk-${'a1B2'.repeat(12)}` });
    assert.match(lines[0] ?? '', /^\?codex searched "Harbour" for "basin /);
    assert.ok(!lines[0]?.includes('a1B2a1B2'), lines[0]);
  });

  it('read around a source in its file, or the lines asked for', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `Line ${index + 1} says something.`);
    lines[49] = 'Three knots in the basin.';
    const { call } = setUp({ files: { '/work/docs/rules.md': lines.join('\n') } });
    const found = await call('search_knowledge', { query: 'basin' });
    assert.match(found.text, /file="docs\/rules.md:50"/);
    const around = await call('read_source', { source: 1 });
    assert.match(around.text, /lines 30 to 70 of 100/);
    assert.match(around.text, /^<source-/);
    assert.match((await call('read_source', { source: 1, start_line: 99 })).text, /lines 99 to 100/);
    assert.match((await call('read_source', { source: 1, end_line: 5 })).text, /lines 5 to 5|lines 1 to 5/);
    assert.match((await call('read_source', { source: 1, start_line: 2, end_line: 3 })).text, /lines 2 to 3/);
  });

  it('read the indexed text of what is no longer in its file, and say so', async () => {
    const { call } = setUp({ files: { '/work/docs/rules.md': 'All was written anew.' } });
    const found = await call('search_knowledge', { query: 'basin' });
    assert.match(found.text, /file="docs\/rules.md"/);
    const { text } = await call('read_source', { source: 1 });
    assert.match(text, /1\tThree knots in the basin\./);
    assert.match(text, /docs\/rules.md has changed since it was indexed/);
    assert.match(text, /This is the indexed text, which is no longer in the file/);
  });

  it('link and read no file that the policy keeps from models', async () => {
    const secret = segment('.env', { content: 'Three knots in the basin.', origin: { path: '.env' } });
    const outside = segment('x', { content: 'Of the basin, too.', origin: { path: '../../etc/passwd' } });
    const { call } = setUp({
      segments: [secret, outside],
      files: { '/work/.env': 'Three knots in the basin.\nKEY=1' },
    });
    const found = await call('search_knowledge', { query: 'basin' });
    assert.deepEqual(found.files, []);
    assert.doesNotMatch(found.text, / file=/);
    const { text } = await call('read_source', { source: 1 });
    assert.doesNotMatch(text, /KEY=1/);
    assert.match(text, /Three knots/);
  });

  it('read only what was found in the same session, and only if that is allowed', async () => {
    const answers = ['once', 'deny'] as const;
    let count = 0;
    const { call, asked } = setUp({ ask: async () => answers[count++] });
    assert.match((await call('read_source', { source: 1 })).text, /There is no source \[1\]/);
    assert.equal(asked.length, 0);
    await call('search_knowledge', { query: 'basin' });
    const { text, isError } = await call('read_source', { source: 1 });
    assert.equal(isError, true);
    assert.doesNotMatch(text, /Three knots/);
  });

  it('keep the number of a segment over searches', async () => {
    const { call } = setUp({ segments: [rules, segment('b.md', { content: 'Of the basin, too.' })] });
    await call('search_knowledge', { query: 'basin' });
    assert.match((await call('search_knowledge', { query: 'too' })).text, /cite="\[2\]"/);
  });

  it('run workflows only if some are offered, with the answer in a frame', async () => {
    const off = setUp();
    assert.equal(off.session.tools.length, 3);
    assert.match((await off.call('run_workflow', {})).text, /offers no workflow/);
    const ran: unknown[] = [];
    const on = setUp({
      more: {
        offersWorkflows: () => true,
        runWorkflow: async (...[program, input]) => {
          ran.push(program, input);
          return 'Done.';
        },
      },
    });
    assert.equal(on.session.tools.at(-1)?.name, 'run_workflow');
    const { text } = await on.call('run_workflow', { workflow: 'Ship' });
    assert.match(text, /^<workflow-[0-9a-f]+>\nDone\.\n/);
    assert.deepEqual(ran, ['?codex', { workflow: 'Ship' }]);
  });

  it('answer bad input, unknown tools and failures in words', async () => {
    const { call } = setUp();
    for (const input of [undefined, null, 'x', {}, { query: '' }, { query: 'x', top_k: 21 }]) {
      const { text, isError } = await call('search_knowledge', input);
      assert.equal(isError, true);
      assert.match(text, /The input is not valid/);
    }
    assert.match((await call('rm\n-rf')).text, /There is no tool "rm -rf"/);
    const failing = setUp({
      more: {
        knowledge: async () => {
          throw new SwitchboardError('transient', 'It is down.', { why: 'Overload.' });
        },
      },
    });
    const { text, isError } = await failing.call('search_knowledge', { query: 'basin' });
    assert.deepEqual([text, isError], ['It is down. Overload.', true]);
  });
});
