import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { ToolOutcome } from '../../../../src/chat/store/events.ts';
import { lookKindOf, callMessage } from '../../../../src/chat/calls/callMessage.ts';
import { createToolDependencies, flowTools, workspaceTools } from '../../../../src/tools/allTools.ts';
import type { WorkflowAccess } from '../../../../src/tools/flows/workflowTools.ts';
import { toolPhrases } from '../../../../src/tools/toolPhrases.ts';
import { searchKnowledgeTool } from '../../../../src/tools/knowledge/searchKnowledgeTool.ts';
import { readSkillTool } from '../../../../src/tools/skills/readSkillTool.ts';
import { usualSkills } from '../../../support/ownDefinitions.ts';
import { commandToolUnderTest } from '../../../support/commandParts.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

const call = (name: string, input: JsonObject, title?: string) => ({
  name,
  input,
  ...(title !== undefined && { title }),
});
const outcome = (parts: Partial<ToolOutcome> = {}): ToolOutcome => ({
  ...{ state: 'done', content: '', durationMs: 0 },
  ...parts,
});

describe('callMessage', () => {
  const whole: [name: string, input: JsonObject, parts: Partial<ToolOutcome>, ...messages: string[]][] = [
    ['read_file', { path: 'README.md' }, {}, 'Read README.md', 'Reading README.md…', 'Read README.md'],
    [
      ...(['read_file', { path: 'a.ts', startLine: '1', endLine: 40 }, {}] as const),
      ...['Read a.ts, lines 1–40', 'Reading a.ts, lines 1–40…', 'Read a.ts, lines 1–40'],
    ],
    ['read_file', { path: 'a', startLine: 9 }, {}, 'Read a, from line 9', 'Reading a, from line 9…'],
    [
      ...(['search_text', { query: 'TODO' }, { count: 12 }] as const),
      ...['Search for "TODO"', 'Searching for "TODO"…', 'Searched for "TODO": 12 matches'],
    ],
    [
      ...(['search_text', { query: 'a', path: 'src' }, { count: 200, hasMore: true }] as const),
      ...['Search for "a" in src', 'Searching for "a" in src…', 'Searched for "a" in src: 200+ matches'],
    ],
    [
      'list_files',
      {},
      { count: 1 },
      'List files in the workspace',
      'Listing files in the workspace…',
      'Listed the workspace: 1 file',
    ],
    [
      'get_diagnostics',
      { path: 'a.ts' },
      { count: 0 },
      'Check a.ts for problems',
      'Checking a.ts for problems…',
      'Checked a.ts: no problems',
    ],
    [
      ...(['edit_file', { path: 'a.ts' }, { changed: { added: 1200, removed: 7 } }] as const),
      ...['Edit a.ts', 'Editing a.ts…', 'Edited a.ts +1,200\u00A0−7'],
    ],
    [
      ...(['run_command', { command: 'npm start' }, { isInBackground: true }] as const),
      ...['Run npm start', 'Running npm start…', 'Started npm start in the background'],
    ],
    ['made_up', {}, {}, 'Run made_up', 'Running made_up…', 'Ran made_up'],
  ];
  for (const [name, input, parts, ask, running, done] of whole) {
    it(`tells before, during and after: ${ask}`, () => {
      assert.equal(callMessage(call(name, input)), ask);
      assert.equal(callMessage(call(name, input), 'asking'), ask);
      assert.equal(callMessage(call(name, input), 'running'), running);
      if (done) assert.equal(callMessage(call(name, input), 'running', outcome(parts)), done);
    });
  }

  it('tells what did not come about', () => {
    const read = call('read_file', { path: '.env' });
    assert.equal(callMessage(read, 'running', outcome({ state: 'failed' })), "Couldn't read .env");
    assert.equal(callMessage(read, 'asking', outcome({ state: 'denied' })), 'Read .env');
    assert.equal(callMessage(call('x', {}), 'running', outcome({ state: 'failed' })), 'Run x');
    // An untrusted workspace has no such tool, and nothing ran.
    const command = call('run_command', { command: 'cat .env' });
    assert.equal(callMessage(command, 'running', outcome({ state: 'failed' })), 'Run cat .env');
  });

  it("calls others' tools by their titles, also where they are named like one of ours", () => {
    const foreign = call('read_file', { path: 'a' }, 'Read the tide gauge');
    assert.equal(callMessage(foreign, 'running'), 'Running Read the tide gauge…');
    assert.equal(lookKindOf(foreign), undefined);
    assert.equal(lookKindOf(call('read_file', {})), 'file');
    assert.equal(callMessage(call('constructor', {})), 'Run constructor');
  });

  it('knows every tool of our own', () => {
    const deps = createToolDependencies(new MemoryWorkspace(), {
      workerFile: '',
      ripgrep: undefined,
      timeoutMs: 1,
    });
    const search = async () => ({ segments: [], failures: [] });
    const grounding = searchKnowledgeTool({ chosen: () => [], search, numberOf: () => 1 });
    const ofWorkflows = flowTools({} as WorkflowAccess);
    const tools = [
      ...workspaceTools(deps),
      commandToolUnderTest(deps),
      grounding,
      readSkillTool(usualSkills(1))!,
      ...ofWorkflows,
    ];
    assert.deepEqual(Object.keys(toolPhrases).toSorted(), tools.map(({ name }) => name).toSorted());
    // `update_plan` has the risk `read`, but doesn't look at the workspace.
    for (const { name, risk } of tools)
      assert.equal(lookKindOf(call(name, {})) !== undefined, risk === 'read' && name !== 'update_plan');
    const steps = [
      { step: 'Look\u202e', state: 'done' },
      { step: 'Run the tests', state: 'doing' },
    ];
    const plan = { name: 'update_plan', input: { steps } };
    assert.equal(callMessage(call(plan.name, plan.input), undefined, outcome()), '2 of 2: Run the tests');
  });

  it('is one bounded line with nothing hidden in it, whatever a model wrote', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(toolPhrases), 'other'),
        texts,
        texts,
        (name, path, query) => {
          const message = callMessage(call(name, { path, query, symbol: query, glob: path }), 'running');
          // Our own marks, in pairs around right-to-left text.
          const own = message.replace(/\u2068([^\u2066-\u2069]*)\u2069/g, '$1');
          assert.doesNotMatch(own, /[\n\r\u202a-\u202e\u2066-\u2069\u200b]/);
          assert.ok(message.length < 350, message);
        },
      ),
    );
    assert.equal(callMessage(call('read_file', {})), 'Read ');
  });
});
