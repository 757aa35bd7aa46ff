import assert from 'node:assert/strict';
import { createLocalFiles } from '../../../../src/knowledge/files/workspaceLocalFiles.ts';
import { createToolDependencies, workspaceTools } from '../../../../src/tools/allTools.ts';
import { getChangesTool } from '../../../../src/tools/editor/getChangesTool.ts';
import { secretContent } from '../../../../src/tools/policy/secretByContent.ts';
import { compilePattern } from '../../../../src/tools/search/linePattern.ts';
import { createFileMatcher } from '../../../../src/tools/search/fileMatcher.ts';
import { ToolSet } from '../../../../src/tools/toolSet.ts';
import { MemoryWorkspace } from '../../../support/memoryWorkspace.ts';
import { processorMs } from '../../../support/processorTime.ts';

const { signal } = new AbortController();

/** Assembled, so that no scanner takes this file for one with secrets. */
const pgp = (kind: string) => ['-----BEGIN PGP ', kind, ' KEY BLOCK-----\n\nneedle'].join('');

/** A name with a secret content and a harmless one. */
const files: [name: string, secret: string, harmless: string][] = [
  [
    'nuget.config',
    '<configuration><packageSourceCredentials><needle/>',
    '<configuration><packageSources><needle/>',
  ],
  [
    'NuGet.Config.bak',
    '<add key="ClearTextPassword" value="needle"/>',
    '<add key="repositoryPath" value="needle"/>',
  ],
  ['nuget.config', '<ApiKeys><needle/>', '<needle/>'],
  ['settings.xml', '<server><privateKey>needle</privateKey>', '<server><id>needle</id></server>'],
  ['signing/settings.xml', '<server><passphrase>needle</passphrase>', '<server><id>needle</id></server>'],
  ['settings.xml', '<server><id>needle</id><password>x</password>', '<server><id>needle</id></server>'],
  ['sub/release.asc', pgp('PRIVATE'), pgp('PUBLIC')],
  ['keystore.json', '{"needle":1,"crypto":{"cipher":"aes-128-ctr"}}', '{"needle":1,"store":[]}'],
  ...['privateKey', 'private-key', 'Secret_Key', 'ciphertext', 'mnemonic', 'SEED'].map(
    (name): [string, string, string] => [
      'my-wallet.json',
      `{"needle":1,"${name}":"0x"}`,
      '{"needle":1,"coins":[]}',
    ],
  ),
  [
    'config.json',
    '{"needle":1,\n"auths": {\n "ghcr.io": { "auth": "x"',
    '{"needle":1,"auth":"basic-authentication"}',
  ],
  ['registry/config.json', '{"needle":1,"auths"\n: {"ghcr.io":{"auth":"x"', '{"needle":1,"auths":{}}'],
  ['sub/bunfig.toml', 'needle = 1\npassword = "x"', 'needle = 1\npassword = "$PASSWORD"'],
  ['bunfig.toml', '[install]\nneedle = 1\ntoken = "x"', '[install]\nneedle = 1\ntoken = "$TOKEN"'],
  ['wg1.conf', '[interface]\nneedle\nprivatekey=x', '[interface]\nneedle\nlistenport=1'],
  ['wg0.conf', '[Interface]\nneedle\nPrivateKey = x', '[Interface]\nneedle\nListenPort = 1'],
  [
    'flows/mine.yml',
    'needle:\n  - name: K\n    value: hunter2\n    value_type: secret\n',
    "needle:\n  - name: K\n    value: ''\n    value_type: secret\n",
  ],
  [
    'other.yaml',
    'needle:\n  - value_type: secret\n    value: "hunter2"\n',
    'needle:\n  - value_type: "secret"\n    value: ""\n  - value_type: string\n    value: x\n',
  ],
  [
    'long.yml',
    'needle:\n- value: "-----\n    two lines"\n  value_type: secret\n- value: \'\'\n  value_type: secret\n',
    'needle:\r\n- value:\r\n  value_type: secret\r\n',
  ],
  [
    'in-line.yml',
    "needle: [{ name: K, value: hunter2, value_type: 'secret' }]",
    'needle: [{ name: K, value: open, value_type: secretive }]',
  ],
  ['keys.txt', ['needle\nAGE-SECRET', '-KEY-1X'].join(''), 'needle\nAGE'],
  ...['Cookie', 'Set-Cookie', 'Authorization'].map((name): [string, string, string] => [
    'trace.har',
    `{"needle":1,"headers":[{"name": "${name}","value":"x"}]}`,
    '{"needle":1,"headers":[]}',
  ]),
];

function over(entries: Record<string, string | Uint8Array>) {
  const workspace = new MemoryWorkspace(entries);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const tools = new ToolSet(workspaceTools(deps));
  const read = async (path: string) => {
    const call = tools.prepare({ name: 'read_file', input: { path } });
    assert.ok(!('problem' in call));
    return (await call.run({ signal })).content;
  };
  const search = async (path: string, unsaved = new Map<string, string>()) => {
    const pattern = compilePattern({ query: 'needle', isRegex: false, ignoreCase: false });
    assert.ok(!('problem' in pattern));
    const [folder] = workspace.folderList;
    const target = { folder: folder!, root: '/work', start: '', isFile: false };
    const job = {
      ...{ folders: workspace.folderList, rules: workspace.ruleSet, platform: 'linux' as const },
      ...{ targets: [target], include: [], exclude: [], search: { pattern, context: 0 }, skip: 0, limit: 9 },
      ...{ maxFileBytes: 100_000, texts: unsaved },
    };
    return createFileMatcher(job, job.search, workspace.memory)(target, path, 9);
  };
  return { workspace, deps, read, search };
}

describe('tools: files whose content makes them secrets', () => {
  for (const [name, secret, harmless] of files) {
    const path = `/work/${name}`;
    it(`withholds ${name} if it holds one, and else not`, async () => {
      const withheld = over({ [path]: secret });
      assert.match(await withheld.read(name), /Refused: .* (key or certificate|credentials)/);
      assert.equal(await withheld.search(name), undefined);
      for (const use of ['read', 'edit', 'attach'] as const) {
        assert.equal((await withheld.deps.policy.check(name, use)).isAllowed, false, use);
      }
      assert.equal('refusal' in (await createLocalFiles(withheld.deps).open(path)), true);

      const open = over({ [path]: harmless });
      assert.match(await open.read(name), /needle/);
      assert.ok(await open.search(name));
      assert.equal((await open.deps.policy.check(name, 'attach')).isAllowed, true);
    });

    it(`withholds ${name} if an editor holds one that is not saved yet`, async () => {
      const { workspace, read, search } = over({ [path]: harmless });
      workspace.unsavedTexts.set(path, secret);
      assert.match(await read(name), /Refused: /);
      assert.equal(await search(name, workspace.unsavedTexts), undefined);
    });

    it(`withholds ${name} if it became one after it was judged`, async () => {
      const { workspace, deps } = over({ [path]: harmless });
      const judged = await deps.policy.check(name, 'read');
      assert.ok(judged.isAllowed);
      workspace.memory.entries.set(path, secret);
      const open = await deps.policy.open(judged);
      assert.ok('reason' in open);
      assert.match(open.reason, /key|credentials/);
    });
  }

  it('knows the cookies of a browser by what a database begins with, in UTF-16 also texts', async () => {
    const wide = Buffer.from('\uFEFF<packageSourceCredentials>', 'utf16le');
    const { deps } = over({
      '/work/Cookies': Buffer.from('SQLite format 3\0rest'),
      '/work/b/Cookies': 'Bake for ten minutes.',
      '/work/nuget.config': wide,
    });
    for (const [path, isAllowed] of [
      ['Cookies', false],
      ['b/Cookies', true],
      ['nuget.config', false],
    ] as const) {
      assert.equal((await deps.policy.check(path, 'attach')).isAllowed, isAllowed, path);
    }
  });

  it('tells no change of a file that held one before', async () => {
    const { workspace, deps } = over({ '/work/nuget.config': 'needle now' });
    const before = async () => Buffer.from('<packageSourceCredentials>needle</packageSourceCredentials>');
    workspace.changeList = [{ path: '/work/nuget.config', state: 'modified', isStaged: false, before }];
    const call = getChangesTool(deps).bind({});
    assert.ok(!('problem' in call));
    assert.equal(
      (await call.run({ signal })).content,
      'modified: nuget.config\n[The file policy withheld changed files: 1 credentials files or stores. They cannot be used.]',
    );
  });

  it('refuses what cannot be looked into', async () => {
    const { workspace, deps } = over({ '/work/nuget.config': '' });
    workspace.memory.beforeAccess = (method) => {
      if (method === 'open') throw Object.assign(new Error('EACCES'), { code: 'EACCES' });
    };
    const verdict = await deps.policy.check('nuget.config', 'read');
    assert.ok(!verdict.isAllowed && verdict.reason === 'unreadable');
  });

  it('judges any content in time that grows with its length', () => {
    for (const piece of ['"auths" : { ', '"name" : ', '-----BEGIN PGP ', '<password', ' '.repeat(20), '"']) {
      for (const [name] of files) {
        const text = piece.repeat(100_000 / piece.length);
        assert.ok(processorMs(() => secretContent(name, text)) < 200, `${name}: ${piece}`);
      }
    }
  });
});
