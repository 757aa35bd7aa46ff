import assert from 'node:assert/strict';
import { createFileTool } from '../../../../src/tools/files/createFileTool.ts';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import type { FileUse } from '../../../../src/tools/policy/verdict.ts';
import listed from '../../../fixtures/protectedPaths.txt';
import { listedPaths } from '../../../support/listedPaths.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import type { MemoryEntry } from '../../../support/memoryFiles.ts';

const { signal } = new AbortController();

function dependenciesOver(
  entries: Record<string, MemoryEntry>,
  toolsProtected: string[] = [],
  folder = '/work',
) {
  const workspace = new MemoryWorkspace(entries);
  workspace.folderList = [{ name: 'work', path: folder, isVirtual: false }];
  workspace.ruleSet = { ...workspace.ruleSet, toolsProtected };
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const protectionOf = async (path: string, use: FileUse = 'create') => {
    const verdict = await deps.policy.check(path, use);
    return verdict.isAllowed ? (verdict.protection ?? 'none') : verdict.reason;
  };
  return { workspace, dependencies: deps, protectionOf };
}

describe('tools: protected files', () => {
  for (const use of ['create', 'edit'] as const) {
    it(`judges each listed path as the list says: ${use}`, async () => {
      const paths = listedPaths(listed);
      const judged = paths.map(async ({ path }) => {
        const there = use === 'edit' && { [`/work/${path}`]: '' };
        const { protectionOf } = dependenciesOver({ '/work/a': '', ...there });
        return { path, verdict: await protectionOf(path, use) };
      });
      assert.deepEqual(await Promise.all(judged), paths);
    });
  }

  it('judges by the real path, not by the name of a link', async () => {
    const { protectionOf } = dependenciesOver({
      '/work/.vscode/tasks.json': '',
      '/work/notes.txt': { linkTo: '.vscode/tasks.json' },
      '/work/docs': { linkTo: '.vscode' },
    });
    assert.equal(await protectionOf('notes.txt', 'edit'), 'editor');
    assert.equal(await protectionOf('docs/launch.json'), 'editor');
  });

  it('knows a workspace folder that is itself such a folder, but not a working copy that an assistant keeps', async () => {
    const inside = dependenciesOver({ '/repo/.github/a': '' }, [], '/repo/.github');
    assert.equal(await inside.protectionOf('workflows/x.yml'), 'pipeline');
    const copy = dependenciesOver({ '/me/.cursor/worktrees/r/a': '' }, [], '/me/.cursor/worktrees/r');
    assert.equal(await copy.protectionOf('src/x.ts'), 'none');
  });

  it('adds what the setting lists: names, folders and whatever a glob that cannot be read may mean', async () => {
    const { protectionOf } = dependenciesOver({ '/work/a': '' }, ['deploy/**', 'prod.tf', 'infra']);
    assert.equal(await protectionOf('deploy/x/y.sh'), 'setting');
    assert.equal(await protectionOf('sub/prod.tf'), 'setting');
    assert.equal(await protectionOf('infra/main.tf'), 'setting');
    assert.equal(await protectionOf('src/a.ts'), 'none');
    assert.equal(
      await dependenciesOver({ '/work/a': '' }, ['*a'.repeat(300)]).protectionOf('src/a.ts'),
      'setting',
    );
  });

  it('knows no folder by a name that every object has', async () => {
    assert.equal(await dependenciesOver({ '/work/a.ts': '' }).protectionOf('constructor/a.ts'), 'none');
    const inside = dependenciesOver({ '/constructor/a.ts': '' }, [], '/constructor');
    assert.equal(await inside.protectionOf('b.ts'), 'none');
  });

  it('does not keep such a file from being read', async () => {
    const { dependencies } = dependenciesOver({ '/work/package.json': '{}' });
    assert.ok((await dependencies.policy.check('package.json', 'read')).isAllowed);
  });

  it('makes no edit that was allowed before the file became protected', async () => {
    const { dependencies, workspace } = dependenciesOver({ '/work/a': '' });
    const call = createFileTool(dependencies).bind({ path: 'deploy.sh', content: 'x' });
    assert.ok(!('problem' in call) && call.propose);
    const proposal = await call.propose({ signal });
    assert.ok('apply' in proposal);
    assert.equal(proposal.protection, undefined);
    workspace.ruleSet = { ...workspace.ruleSet, toolsProtected: ['*.sh'] };
    await assert.rejects(proposal.apply({ signal }), /became a protected file/);
    assert.deepEqual(workspace.applied, []);
  });
});
