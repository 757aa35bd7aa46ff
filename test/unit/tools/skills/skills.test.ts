import assert from 'node:assert/strict';
import { systemText } from '../../../../src/chat/prompt/systemText.ts';
import { filesOfUser } from '../../../../src/tools/files/filesOfUser.ts';
import { readSkillTool, skillText } from '../../../../src/tools/skills/readSkillTool.ts';
import { readSkills, type Skill, skillFolders } from '../../../../src/tools/skills/skills.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { usualSkills } from '../../../support/ownDefinitions.ts';
import { toolsUnderTest } from '../../../support/toolsUnderTest.ts';

const notes = `---
name: release-notes
description: >
  Writes release notes
  from commits.
argument-hint: version
---
Run scripts/list.sh, then write.
`;

const files = {
  '/work/.agents/skills/release-notes/SKILL.md': notes,
  '/work/.agents/skills/release-notes/style.md': 'Short sentences.',
  '/work/.agents/skills/release-notes/scripts/list.sh': 'git log',
  '/work/.github/skills/release-notes/SKILL.md': '---\ndescription: Another\n---\nOther',
  '/work/.github/skills/deploy/SKILL.md':
    '---\ndescription: Deploys\ndisable-model-invocation: true\n---\nShip it.',
  '/work/.claude/skills/lint/SKILL.md':
    '---\ndescription: How to lint\nuser-invocable: false\n---\ntoken = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"',
  '/work/.claude/skills/silent/SKILL.md': 'No description.',
  '/work/.claude/skills/README.md': 'x',
  '/work/src/secret.pem': 'x',
  '/home/me/.claude/skills/lint/SKILL.md': '---\ndescription: Mine\n---\nMine',
  '/home/me/.claude/skills/taste/SKILL.md': '---\ndescription: My taste\n---\nPlain words.',
  '/home/me/.claude/settings.json': '{}',
};

async function setUp({ isTrusted = true } = {}) {
  const under = toolsUnderTest(files);
  under.workspace.ruleSet = { ...under.workspace.ruleSet, isTrusted };
  const ofUser = filesOfUser(under.dependencies, {
    '~/.agents/skills': '/home/me/.agents/skills',
    '~/.claude/skills': '/home/me/.claude/skills',
  });
  const skills = await readSkills([
    ...skillFolders.map((folder) => ({ readers: under.dependencies, folder })),
    { readers: ofUser, folder: '' },
  ]);
  const tools = new ToolSet([readSkillTool(skills)].filter((tool) => tool !== undefined));
  const call = async (input: object) => {
    const ready = tools.prepare({ name: 'read_skill', input });
    assert.ok('run' in ready);
    return ready.run({ signal: new AbortController().signal });
  };
  return { ...under, skills, tools, call };
}

const toldOf = (skills: readonly Skill[]) => readSkillTool(skills)?.description ?? '';

describe('skills', () => {
  it("are those of the workspace, then the user's own; the first of a name counts", async () => {
    const { skills } = await setUp();
    assert.deepEqual(
      skills.map(({ name, folder, isForUsers, isForModels }) => [name, folder, isForUsers, isForModels]),
      [
        ['release-notes', '.agents/skills/release-notes', true, true],
        ['deploy', '.github/skills/deploy', true, false],
        ['lint', '.claude/skills/lint', false, true],
        ['silent', '.claude/skills/silent', true, false],
        ['taste', '~/.claude/skills/taste', true, true],
      ],
    );
    assert.equal(skills[0]?.description, 'Writes release notes from commits.');
    assert.equal(skills[0]?.argumentHint, 'version');
  });

  it("are only the user's own in a workspace that is not trusted", async () => {
    const { skills } = await setUp({ isTrusted: false });
    assert.deepEqual(
      skills.map(({ folder }) => folder),
      ['~/.claude/skills/lint', '~/.claude/skills/taste'],
    );
  });

  it('are told by name and description in the tool, which is there only if one is for models', async () => {
    const { skills } = await setUp();
    const told = toldOf(skills);
    assert.match(told, /\n- release-notes: Writes release notes from commits\.\n/);
    assert.match(told, /- taste: My taste$/);
    assert.doesNotMatch(told, /deploy|silent/);
    assert.equal(readSkillTool(skills.filter(({ isForModels }) => !isForModels)), undefined);
    assert.doesNotMatch(systemText(['read_skill']), /skill/);
  });

  it('are told in few words when there are many, and the rest is found by a search', async () => {
    const told = toldOf(usualSkills(25));
    assert.ok(told.length < 1100, `${told.length}`);
    const shown = told.split('\n').filter((line) => line.startsWith('- ')).length;
    assert.ok(shown >= 10 && shown <= 20, `${shown}`);
    assert.ok(told.endsWith(`${25 - shown} more: search for them.`));
    const short = usualSkills(30).map((skill, n) => ({ ...skill, name: `s${n}`, description: 'D' }));
    assert.match(toldOf(short), /- s19: D\n10 more/);
    const found = new ToolSet([readSkillTool(short)!]).prepare({
      name: 'read_skill',
      input: { name: 's29 S7' },
    });
    assert.ok('run' in found);
    const { content } = await found.run({ signal: new AbortController().signal });
    assert.deepEqual(content.split('\n'), ['- s7: D', '- s29: D']);
  });

  it('are read as instructions, with the names of their files, which are read by name', async () => {
    const { call } = await setUp();
    const { content } = await call({ name: 'release-notes' });
    assert.match(
      content,
      /^<instructions-\w+ skill="release-notes">\nRun scripts\/list\.sh, then write\.\n</,
    );
    assert.match(
      content,
      /Its other files, in \.agents\/skills\/release-notes: scripts\/list\.sh, style\.md\.$/,
    );
    assert.equal((await call({ name: 'release-notes', file: 'style.md' })).content, 'Short sentences.');
    const lint = await call({ name: 'lint' });
    assert.doesNotMatch(lint.content, /ghp_0123/);
  });

  it('give no file that may not be read, nor one outside of the folders of skills', async () => {
    const { call } = await setUp();
    for (const [name, file] of [
      ['release-notes', '../../../src/secret.pem'],
      ['taste', '../../settings.json'],
      ['taste', '../../../../../work/src/secret.pem'],
      ['taste', 'gone.md'],
    ]) {
      const result = await call({ name, file });
      assert.equal(result.isError, true, file);
    }
  });

  it('are not read by models if they are for users alone, and what fits nothing says so', async () => {
    const { call } = await setUp();
    for (const name of ['deploy', 'billing']) {
      const result = await call({ name });
      assert.match(result.content, /^No skill has to do with/);
      assert.equal(result.isError, true);
    }
  });

  it('become a message with the same text', async () => {
    const { skills } = await setUp();
    const deploy = skills.find(({ name }) => name === 'deploy')!;
    assert.match(
      await skillText(deploy),
      /^<instructions-\w+ skill="deploy">\nShip it\.\n<\/instructions-\w+>$/,
    );
  });
});
