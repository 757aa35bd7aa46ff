import assert from 'node:assert/strict';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import { objectionTo } from '../../../../src/tools/command/commandPaths.ts';
import { plainLine } from '../../../../src/tools/command/parseCommand.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

/** The objection to a line that a wildcard allows, in a folder of the workspace. */
async function objection(line: string, folder = '.'): Promise<string | undefined> {
  const workspace = new MemoryWorkspace({
    '/work/server.pem': 'key',
    '/work/src/a.ts': 'a',
    '/work/lib/private/b.ts': 'b',
    '/work/tools/.docker/config.json': '{}',
    '/work/kept/c.ts': 'c',
    '/work/vendor/.git/HEAD': '',
  });
  workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['Private', '/kept/**'] };
  const { policy } = createToolDependencies(workspace, {
    ...{ workerFile: '', ripgrep: undefined, timeoutMs: 1000 },
  });
  const where = await policy.check(folder, 'list');
  assert.ok(where.isAllowed);
  const plain = plainLine(line);
  assert.ok(plain, line);
  return objectionTo(plain.commands, where, { policy, files: workspace.files }, true);
}

describe('tools: the paths that a command names', () => {
  const asked: [what: string, line: string, words: RegExp, folder?: string][] = [
    ['a path before a separator', 'tsc server.pem,b', /"server\.pem,b" is blocked/],
    ['a word that may mean too many paths', `tsc ${'a,'.repeat(300)}`, /is blocked/],
    ['a pattern in a blocked folder', 'tsc ".ssh/*"', /is blocked/],
    ['a pattern that is too long to be read', `tsc "src/*${'a'.repeat(3000)}"`, /is blocked/],
    ['a pattern in capitals', 'tsc "SERV*"', /contains "server\.pem"/],
    ['a path from where cd may not have led', 'cd src && tsc kept/c.ts', /"kept\/c\.ts" is blocked/],
    ['an excluded name, in capitals in the settings', 'tsc lib', /contains "private"/],
    ['a secret that is one by its folder', 'tsc tools', /contains "\.docker/],
    ['a repository in the workspace folder', 'tsc', /"vendor" is another repository/, 'vendor'],
  ];
  for (const [what, line, words, folder] of asked) {
    it(`are asked about: ${what}`, async () => {
      assert.match((await objection(line, folder)) ?? '', words);
    });
  }

  it('are those that a search is in, where it names one', async () => {
    assert.equal(await objection('grep a src/a.ts missing'), undefined);
    assert.match((await objection('grep a')) ?? '', /"\." contains/);
  });
});
