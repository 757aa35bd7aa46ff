import assert from 'node:assert/strict';
import { createFileTool } from '../../../../src/tools/files/createFileTool.ts';
import { createToolDependencies } from '../../../../src/tools/allTools.ts';
import type { FileUse } from '../../../../src/tools/policy/verdict.ts';
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
  const cases: Record<string, string[]> = {
    editor: [
      '.vscode/tasks.json',
      'sub/.vscode/settings.json',
      '.VSCode/x',
      'a.code-workspace',
      '.idea/x',
      '.vimrc',
      'a\\.vscode\\tasks.json',
      '.vscode-server/data/Machine/settings.json',
    ],
    container: [
      ...['.devcontainer/devcontainer.json', '.devcontainer.json', '.gitpod.yml'],
      ...['Dockerfile', 'Dockerfile.dev', 'docker/api.Dockerfile', 'Containerfile', 'compose.yaml'],
      ...['docker-compose.override.yml', 'docker-bake.hcl', 'Vagrantfile'],
    ],
    git: [
      '.husky/pre-commit',
      '.githooks/x',
      'hooks/post-checkout',
      '.gitattributes',
      '.gitmodules',
      'lefthook.yml',
      ...['hooks/applypatch-msg', 'hooks/post-index-change', 'hooks/reference-transaction'],
    ],
    pipeline: [
      '.github/workflows/a.yml',
      '.gitlab-ci.yml',
      'Jenkinsfile',
      '.circleci/config.yml',
      'azure-pipelines-2.yml',
      ...['netlify.toml', 'serverless.yml', 'wrangler.jsonc', 'skaffold.yaml', 'vercel.json'],
    ],
    package: [
      'package.json',
      'packages/a/package.json',
      'package-lock.json',
      'yarn.lock',
      'pyproject.toml',
      'a.pth',
      ...['requirements.txt', 'requirements-dev.txt', 'Pipfile', 'turbo.json', 'nx.json', 'karma.conf.js'],
      ...[
        'Makefile',
        'GNUmakefile',
        'sub/makefile',
        'Makefile.am',
        'rules.mk',
        'justfile',
        '.justfile',
        'Taskfile.yml',
      ],
      ...[
        'Taskfile.dist.yaml',
        'Rakefile',
        'gulpfile.mjs',
        'Gruntfile.js',
        'noxfile.py',
        'tox.ini',
        'conftest.py',
      ],
      ...[
        'build.rs',
        'pom.xml',
        'build.gradle',
        'settings.gradle.kts',
        'CMakeLists.txt',
        'cmake/x.cmake',
        'BUILD.bazel',
      ],
      ...[
        'App.csproj',
        'Directory.Build.props',
        'Gemfile',
        'flake.nix',
        'eslint.config.mjs',
        '.eslintrc.json',
      ],
      ...['.prettierrc.cjs', 'vite.config.ts', 'jest.config.js', '.mocharc.yml'],
    ],
    shell: [
      ...['.bashrc', '.zshenv', '.profile', '.config/fish/config.fish', 'Microsoft.PowerShell_profile.ps1'],
      ...['Library/LaunchAgents/a.plist', '.config/autostart/a.desktop'],
    ],
    exclusion: ['.gitignore', 'sub/.gitignore', '.switchboardignore', '.ignore', '.aiexclude'],
    instructions: [
      'AGENTS.md',
      'sub/CLAUDE.md',
      '.mcp.json',
      '.cursor/rules/a.mdc',
      '.switchboard/modes/a.md',
      'x.instructions.md',
      ...[
        'mcp.json',
        'x.prompt.md',
        '.aider.conventions',
        '.junie/guidelines.md',
        '.amazonq/rules/a.md',
        '.trae/rules/a.md',
        '.goosehints',
        'WARP.md',
      ],
    ],
    none: [
      'src/a.ts',
      'package.json/a.ts',
      'src/constructor',
      'README.md',
      'vscode/a.ts',
      'github.ts',
      'package.ts',
      'precommit.ts',
      'docs/agents.txt',
      'zsh.md',
      ...[
        'src/app.config.ts',
        'docs/docker.md',
        'makefile_test.go',
        'src/compose.ts',
        'taskfile.md',
        'rake.ts',
      ],
      ...['dockerfileParser.ts', 'projects/a.ts', 'props.ts', 'src/next.ts', 'build/a.ts', 'composer.ts'],
    ],
  };
  for (const [protection, paths] of Object.entries(cases)) {
    for (const path of paths) {
      it(`knows ${path}: ${protection}`, async () => {
        const { protectionOf } = dependenciesOver({ '/work/a': '', [`/work/${path}`]: '' });
        assert.equal(await protectionOf(path, 'edit'), protection);
        assert.equal(await dependenciesOver({ '/work/a': '' }).protectionOf(path, 'create'), protection);
      });
    }
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
