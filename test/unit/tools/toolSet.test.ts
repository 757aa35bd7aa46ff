import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { createToolDependencies, workspaceTools } from '../../../src/tools/allTools.ts';
import { defineTool } from '../../../src/tools/tool.ts';
import { ToolFailure } from '../../../src/tools/toolFailure.ts';
import { ownToolNames, occasionalToolNames } from '../../../src/tools/ownToolNames.ts';
import { searchKnowledgeName } from '../../../src/tools/knowledge/searchKnowledgeTool.ts';
import { ToolSet } from '../../../src/tools/toolSet.ts';
import { commandToolUnderTest } from '../../support/commandParts.ts';
import { MemoryWorkspace } from '../../support/memoryWorkspace.ts';

const { signal } = new AbortController();

function setWith(run: (input: unknown) => Promise<string>) {
  return new ToolSet([
    defineTool({
      name: 'try_it',
      description: 'Tries it.',
      input: z.object({
        text: z.string().check(z.describe('What to say.')),
        count: z.optional(z.int()),
        loud: z.optional(z.boolean()),
        names: z.optional(z.array(z.string())),
      }),
      risk: 'read',
      run: async (input) => ({ content: await run(input), isError: false }),
    }),
  ]);
}

const echo = setWith(async (input) => JSON.stringify(input));

async function runEcho(args: string): Promise<string> {
  const call = echo.prepare({ name: 'try_it', input: JSON.parse(args) as object });
  return 'problem' in call ? call.problem : (await call.run({ signal })).content;
}

describe('tools: a tool set', () => {
  it('describes tools by their schema alone', () => {
    assert.deepEqual(echo.definitions, [
      {
        name: 'try_it',
        description: 'Tries it.',
        parameters: {
          type: 'object',
          properties: {
            text: { type: 'string', description: 'What to say.' },
            count: { type: 'integer' },
            loud: { type: 'boolean' },
            names: { type: 'array', items: { type: 'string' } },
          },
          required: ['text'],
        },
      },
    ]);
  });

  it('neither offers nor runs what is switched off, and says so', () => {
    const off = new ToolSet([], new Set(['edit_file']));
    assert.deepEqual(off.definitions, []);
    assert.deepEqual(off.prepare({ name: 'edit_file', input: {} }), {
      problem: 'The user has switched off edit_file. Go on without it.',
    });
    assert.match(JSON.stringify(off.prepare({ name: 'other', input: {} })), /There is no tool/);
  });

  it('has each workspace tool among those that can be switched', () => {
    const deps = createToolDependencies(new MemoryWorkspace(), {
      ...{ workerFile: '', ripgrep: undefined, timeoutMs: 1 },
    });
    const tools = [...workspaceTools(deps), commandToolUnderTest(deps)];
    const names = [...tools.map(({ name }) => name), searchKnowledgeName, ...occasionalToolNames];
    assert.deepEqual(names, ownToolNames);
  });

  it('describes every workspace tool as an object with described arguments', () => {
    const deps = createToolDependencies(new MemoryWorkspace(), {
      workerFile: '',
      ripgrep: undefined,
      timeoutMs: 1,
    });
    const { definitions } = new ToolSet([...workspaceTools(deps), commandToolUnderTest(deps)]);
    assert.equal(definitions.length, 12);
    for (const { name, description, parameters } of definitions) {
      assert.match(name, /^[a-z]+(_[a-z]+)+$/);
      assert.ok(description.length > 80);
      assert.equal(parameters['type'], 'object');
      const properties = parameters['properties'] as Record<string, { description?: string }>;
      for (const [key, property] of Object.entries(properties))
        assert.ok(property.description, `${name}.${key}`);
      assert.ok(!('$schema' in parameters));
    }
  });

  const lenient: [string, string, string][] = [
    ['numbers as strings', '{"text":"a","count":"10"}', '{"text":"a","count":10}'],
    ['booleans as strings', '{"text":"a","loud":"True"}', '{"text":"a","loud":true}'],
    ['null for nothing', '{"text":"a","count":null,"names":null}', '{"text":"a"}'],
    ['one thing for a list', '{"text":"a","names":"x"}', '{"text":"a","names":["x"]}'],
    ['a list as JSON text', '{"text":"a","names":"[\\"x\\",\\"y\\"]"}', '{"text":"a","names":["x","y"]}'],
    ['what it does not know', '{"text":"a","other":1}', '{"text":"a"}'],
  ];
  for (const [what, given, expected] of lenient) {
    it(`reads ${what}`, async () => assert.equal(await runEcho(given), expected));
  }

  const problems: [string, RegExp][] = [
    ['{}', /do not fit: "text".*The arguments are: text, count, loud, names.*Call try_it again/s],
    ['{"message":"a"}', /There is no argument message/],
    ['{"text":"a","count":"many"}', /"count"/],
    ['[]', /do not fit/],
  ];
  for (const [given, expected] of problems) {
    it(`says what is wrong with ${given}`, async () => assert.match(await runEcho(given), expected));
  }

  it('names the tools there are for one there is not', () => {
    const call = echo.prepare({ name: 'shell', input: {} });
    assert.ok('problem' in call);
    assert.match(call.problem, /no tool "shell".*try_it/);
  });

  it('makes a result of a failure, without a stack', async () => {
    for (const error of [new ToolFailure('It failed. Try x.'), new Error('broken'), 'odd']) {
      const set = setWith(async () => {
        throw error;
      });
      const call = set.prepare({ name: 'try_it', input: { text: 'a' } });
      assert.ok(!('problem' in call));
      const { content, isError } = await call.run({ signal });
      assert.equal(isError, true);
      assert.doesNotMatch(content, /\n\s+at /);
    }
  });

  it('passes only an abort on', async () => {
    const stop = new AbortController();
    const set = setWith(async () => {
      stop.abort();
      throw new Error('because of the abort');
    });
    const call = set.prepare({ name: 'try_it', input: { text: 'a' } });
    assert.ok(!('problem' in call));
    await assert.rejects(call.run({ signal: stop.signal }), { name: 'AbortError' });
    await assert.rejects(call.run({ signal: stop.signal }), { name: 'AbortError' });
  });
});
