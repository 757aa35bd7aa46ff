import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../../src/base/frontMatter.ts';
import { findNamedTools } from '../../../../src/chat/modes/namedTools.ts';
import { readAgents } from '../../../../src/chat/project/agentFiles.ts';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';

const known = [
  'read_file',
  'search_text',
  'list_files',
  'edit_file',
  'create_file',
  'mcp_gh_issues',
  'deploy',
];

const reviewer = `---
description: Reviews: finds what is wrong
tools: ['read', 'search/textSearch', "gh/*", 'browse']
model: [GPT-9, 'Claude Sonnet 5 (copilot)']
handoffs:
  - label: Fix it
    agent: agent
---
Read the changes and say what is wrong.
`;

describe('agents that a project describes', () => {
  it('have their description, tools, models and instructions; what is unknown is named', async () => {
    const { dependencies } = toolsUnderTest({
      '/work/.github/agents/reviewer.agent.md': reviewer,
      '/work/.github/agents/writer.md': 'Write well.',
      '/work/.github/agents/hidden.agent.md': '---\nuser-invokable: false\n---\nx',
      '/work/.github/agents/cloud.agent.md': '---\ntarget: github-copilot\n---\nx',
      '/work/.github/agents/notes.txt': 'x',
      '/work/.github/chatmodes/old.chatmode.md': '---\nname: Old One\ntools: []\n---\n',
    });
    assert.deepEqual(await readAgents(dependencies, known), [
      {
        id: '.github/agents/reviewer.agent.md',
        name: 'reviewer',
        isReadOnly: false,
        description: 'Reviews: finds what is wrong',
        tools: new Set(['read_file', 'search_text', 'mcp_gh_issues']),
        problem: 'Unknown tools: browse. Not supported: handoffs',
        instructions: 'Read the changes and say what is wrong.',
        models: ['GPT-9', 'Claude Sonnet 5 (copilot)'],
      },
      { id: '.github/agents/writer.md', name: 'writer', isReadOnly: false, instructions: 'Write well.' },
      { id: '.github/chatmodes/old.chatmode.md', name: 'Old One', isReadOnly: false, tools: new Set() },
    ]);
  });

  it('are not read in a workspace that is not trusted, nor against the file policy', async () => {
    const { dependencies, workspace } = toolsUnderTest({
      '/work/.github/agents/a.agent.md': 'A',
      '/work/.github/agents/b.agent.md': 'token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"',
    });
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['a.agent.md'] };
    const [agent, ...others] = await readAgents(dependencies, known);
    assert.equal(others.length, 0);
    assert.equal(agent?.name, 'b');
    assert.doesNotMatch(agent?.instructions ?? '', /ghp_0123456789/);
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.deepEqual(await readAgents(dependencies, known), []);
  });

  it('name tools as ours, as those of others, as sets, or all', () => {
    const tools = (...names: string[]) => [...findNamedTools(names, known).tools];
    assert.deepEqual(tools('edit', '#read_file'), ['edit_file', 'create_file', 'read_file']);
    assert.deepEqual(tools('edit/createFile', 'gh/issues', 'deploy'), [
      'create_file',
      'mcp_gh_issues',
      'deploy',
    ]);
    assert.deepEqual(tools('*'), known);
    assert.deepEqual(findNamedTools(['constructor', 'execute'], known).unknown, ['constructor', 'execute']);
  });
});

describe('the fields at the head of a Markdown file', () => {
  it('are read one by one, so that what is no YAML spoils no other', async () => {
    const read = (...lines: string[]) => readFrontMatter(['---', ...lines, '---', 'Body', ''].join('\n'));
    const { fields, body } = await read(
      'applyTo: **/*.ts, **/*.js',
      'description: a: b',
      'tools: [x, "y" ] # why',
      'name: ',
    );
    assert.deepEqual(
      { ...fields },
      { applyTo: ['**/*.ts, **/*.js'], description: ['a: b'], tools: ['x', 'y'], name: [] },
    );
    assert.equal(body, 'Body\n');
    assert.deepEqual({ ...(await read('- : {', '__proto__: x')).fields }, { ['__proto__']: ['x'] });
    assert.deepEqual({ ...(await readFrontMatter('No fields\n---\na: b\n---\n')).fields }, {});
    assert.deepEqual({ ...(await read('tools:', '  - a', "  - 'b'")).fields }, { tools: ['a', 'b'] });
  });
});
