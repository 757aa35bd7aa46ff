import assert from 'node:assert/strict';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import { objectionTo } from '../../../../src/tools/command/commandPaths.ts';
import { plainLine } from '../../../../src/tools/command/parseCommand.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';

/** The objection to a line that a wildcard allows, in a folder of the workspace. */
async function objection(line: string, folder = '.', listing = ''): Promise<string | undefined> {
  const workspace = new MemoryWorkspace({
    '/work/server.pem': 'key',
    '/work/src/a.ts': 'a',
    '/work/src/node_modules/b/test.pem': 'key',
    '/work/lib/private/b.ts': 'b',
    '/work/tools/.docker/config.json': '{}',
    '/work/kept/c.ts': 'c',
    '/work/vendor/.git/HEAD': '',
    '/work/notes.md': '',
    '/work/.gitignore': 'built',
    '/work/built/x': '',
    '/work/bare/HEAD': '',
    '/work/bare/a.ts': '',
  });
  workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['Private', '/kept/**'] };
  const { memory } = workspace;
  const stat = memory.stat.bind(memory);
  memory.stat = async (path) => ({ ...(await stat(path)), ...(path === '/work/notes.md' && { links: 2 }) });
  const list = memory.list.bind(memory);
  memory.list = async (path) => {
    if (listing !== '' && path === '/work/src') throw Object.assign(new Error(listing), { code: listing });
    return list(path);
  };
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
    ['a pattern that climbs out of what it names', 'tsc "*/../../etc/passwd"', /is blocked/],
    ['a pattern for everything below a folder', 'tsc "tools/**"', /contains "\.docker/],
    ['a pattern for a folder further down', 'tsc "priv*"', /contains "lib\/private"/],
    ['a pattern for a file in a blocked folder', 'tsc "*/private/b.ts"', /contains "lib\/private\/b\.ts"/],
    ['a hard link to what is blocked', 'tsc notes.md', /"notes\.md" is blocked/],
    ['an absolute path', 'tsc /work/server.pem', /"\/work\/server\.pem" is blocked/],
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

  it('are nothing to ask about where they are ignored, missing, no repository or the input of the program', async () => {
    for (const line of [
      'tsc built/x',
      'tsc "built/*"',
      'tsc -',
      'tsc missing',
      'tsc src',
      'cd src && tsc a.ts',
    ])
      assert.equal(await objection(line), undefined, line);
    assert.equal(await objection('tsc a.ts', 'bare'), undefined);
  });

  it('are asked about where nobody can tell what they hold, but not where it is locked', async () => {
    assert.match((await objection('tsc src', '.', 'EIO')) ?? '', /"src" has too many files to check/);
    assert.equal(await objection('tsc src', '.', 'EACCES'), undefined);
    assert.equal(await objection('tsc src', '.', 'ENOENT'), undefined);
  });

  it('are those that a search is in, where it names one', async () => {
    assert.equal(await objection('grep a src/a.ts missing'), undefined);
    for (const line of ['grep a', 'grep file:a', 'git grep a'])
      assert.match((await objection(line)) ?? '', /"\." contains/);
  });
});
