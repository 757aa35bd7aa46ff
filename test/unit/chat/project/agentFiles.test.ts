import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../../src/base/text/frontMatter.ts';
import { findNamedTools } from '../../../../src/chat/modes/namedTools.ts';
import { modeRefusal } from '../../../../src/chat/calls/toolBox.ts';
import { builtInMode, builtInModeIds, missingMode } from '../../../../src/chat/modes/mode.ts';
import { ProjectModes } from '../../../../src/chat/modes/projectModes.ts';
import { readAgents } from '../../../../src/chat/project/agentFiles.ts';
import { noUserFiles } from '../../../support/userFiles.ts';
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
      '/work/.github/agents/new.agent.md': '---\nuser-invocable: false\n---\nx',
      '/work/.github/agents/cloud.agent.md': '---\ntarget: github-copilot\n---\nx',
      '/work/.github/agents/notes.txt': 'x',
      '/work/.github/chatmodes/old.chatmode.md': '---\nname: Old One\ntools: []\n---\n',
    });
    assert.deepEqual(await readAgents(dependencies, noUserFiles(dependencies), known), [
      {
        id: '.github/agents/reviewer.agent.md',
        ...{ name: 'reviewer (reviewer.agent.md)', projectName: 'reviewer' },
        isReadOnly: false,
        description: 'Reviews: finds what is wrong',
        tools: new Set(['read_file', 'search_text', 'mcp_gh_issues']),
        problem: 'Unknown tools: browse',
        instructions: 'Read the changes and say what is wrong.',
        models: ['GPT-9', 'Claude Sonnet 5 (copilot)'],
        handoffs: [{ label: 'Fix it', agent: 'agent', prompt: '', sends: false }],
      },
      {
        ...{ id: '.github/agents/writer.md', name: 'writer (writer.md)', projectName: 'writer' },
        ...{ isReadOnly: false, instructions: 'Write well.' },
      },
      {
        ...{ id: '.github/chatmodes/old.chatmode.md', name: 'Old One (old.chatmode.md)' },
        ...{ projectName: 'Old One', isReadOnly: false, tools: new Set() },
      },
    ]);
  });

  it('are not read in a workspace that is not trusted, nor against the file policy', async () => {
    const { dependencies, workspace } = toolsUnderTest({
      '/work/.github/agents/a.agent.md': 'A',
      '/work/.github/agents/b.agent.md': 'token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"',
    });
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['a.agent.md'] };
    const [agent, ...others] = await readAgents(dependencies, noUserFiles(dependencies), known);
    assert.equal(others.length, 0);
    assert.equal(agent?.projectName, 'b');
    assert.doesNotMatch(agent?.instructions ?? '', /ghp_0123456789/);
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    assert.deepEqual(await readAgents(dependencies, noUserFiles(dependencies), known), []);
  });

  it('are named with their files whatever they call themselves, and hide nothing', async () => {
    const names = [
      'Ask',
      'ask',
      ' Agent ',
      'PLAN',
      'Agent\u00a0',
      'Аsk',
      'Pl\u200ban',
      'A\u202eks',
      'x'.repeat(99),
    ];
    const files = names.map((name, at) => [
      `/work/.github/agents/${at}.agent.md`,
      `---\nname: "${name}"\ndescription: "Re\u202eads\u00a0only"\ntools: ["\u200b"]\n---\n`,
    ]);
    const { dependencies } = toolsUnderTest(Object.fromEntries(files));
    const agents = await readAgents(dependencies, noUserFiles(dependencies), known);
    assert.deepEqual(
      agents.map(({ name }) => name),
      [
        ...[
          'Ask (0.agent.md)',
          'ask (1.agent.md)',
          'Agent (2.agent.md)',
          'PLAN (3.agent.md)',
          'Agent (4.agent.md)',
        ],
        ...['Аsk (5.agent.md)', 'Pl⟨U+200B⟩an (6.agent.md)', 'A⟨U+202E⟩ks (7.agent.md)'],
        `${'x'.repeat(40)}… (8.agent.md)`,
      ],
    );
    const ours = builtInModeIds.map((id) => builtInMode(id).name);
    for (const { name, id } of agents)
      assert.ok(!ours.includes(name) && missingMode(id).name.endsWith('.agent.md)'));
    assert.equal(agents[0]?.description, 'Re⟨U+202E⟩ads only');
    assert.equal(agents[0]?.problem, 'Unknown tools: ⟨U+200B⟩');
    const modes = new ProjectModes(
      () => 'ask',
      async () => agents,
    );
    await modes.refresh();
    assert.equal(modes.find('ask').isReadOnly, true);
    assert.match(
      modeRefusal(modes.find('.github/agents/0.agent.md'), { name: 'edit_file', risk: 'edit' }) ?? '',
      /the mode "Ask \(0\.agent\.md\)"\. .*the button "Mode: Ask \(0\.agent\.md\)"/,
    );
    assert.equal(missingMode('.github/agents/Ask.agent.md').name, 'Ask (Ask.agent.md)');
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
