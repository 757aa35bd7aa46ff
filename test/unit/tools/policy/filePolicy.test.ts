import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FilePolicy } from '../../../../src/tools/policy/filePolicy.ts';
import type { FileUse } from '../../../../src/tools/policy/verdict.ts';
import type { PolicyRules, WorkspaceFolder } from '../../../../src/tools/files/workspace.ts';
import { MemoryFiles, type MemoryEntry } from '../../../support/memoryFiles.ts';

interface Setting {
  folders?: WorkspaceFolder[];
  rules?: Partial<PolicyRules>;
  platform?: NodeJS.Platform;
}

function policyOver(
  entries: Record<string, MemoryEntry>,
  { folders, rules, platform = 'linux' }: Setting = {},
) {
  const access = new MemoryFiles(entries, platform !== 'linux');
  const policy = new FilePolicy(
    {
      folders: () => folders ?? [{ name: 'work', path: '/work', isVirtual: false }],
      rules: () => ({ isTrusted: true, filesExclude: [], toolsExclude: [], toolsProtected: [], ...rules }),
      access,
      encodingOf: () => undefined,
    },
    { platform },
  );
  return { access, policy, judge: (path: string, use: FileUse = 'read') => verdictOf(policy, path, use) };
}

/** The real path, or the reason of the refusal. */
async function verdictOf(policy: FilePolicy, path: string, use: FileUse): Promise<string> {
  const verdict = await policy.check(path, use);
  return verdict.isAllowed ? verdict.realPath : verdict.reason;
}

describe('tools: the file policy on paths', () => {
  const { judge } = policyOver({
    '/work/src/a.ts': 'a',
    '/work/a b.txt': '',
    '/work/work/inner.ts': '',
    '/etc/passwd': 'root',
    '/workshop/x': '',
  });

  const cases: [string, string][] = [
    ['src/a.ts', '/work/src/a.ts'],
    ['./src//a.ts', '/work/src/a.ts'],
    ['/work/src/a.ts', '/work/src/a.ts'],
    ['src/../src/a.ts', '/work/src/a.ts'],
    ['a b.txt', '/work/a b.txt'],
    ['work/inner.ts', '/work/work/inner.ts'],
    ['../etc/passwd', 'outside'],
    ['src/../../etc/passwd', 'outside'],
    ['/etc/passwd', 'outside'],
    ['/work/../etc/passwd', 'outside'],
    ['/workshop/x', 'outside'],
    ['~/.ssh/id_rsa', 'outside'],
    ['~', 'outside'],
    ['%2e%2e/etc/passwd', 'not-found'],
    ['..%2fetc/passwd', 'not-found'],
    ['src/a.ts\0.png', 'invalid'],
    ['src/a.ts\n', 'invalid'],
    ['src/a.ts\x7f', 'invalid'],
    ['file:///work/src/a.ts', 'invalid'],
    ['FILE:///work/src/a.ts', 'invalid'],
    ['x'.repeat(5000), 'invalid'],
    ['src', 'not-a-file'],
    ['src/b.ts', 'not-found'],
    ['src/a.ts/b', 'not-found'],
  ];
  for (const [path, expected] of cases) {
    it(`judges ${JSON.stringify(path.slice(0, 40))}: ${expected}`, async () => {
      assert.equal(await judge(path), expected);
    });
  }

  it('refuses everything without a folder', async () => {
    assert.equal(await policyOver({}, { folders: [] }).judge('a'), 'no-folder');
  });

  it('says to the model what to do, and to the user in a sentence', async () => {
    const verdict = await policyOver({}).policy.check('../x', 'read');
    assert.ok(!verdict.isAllowed);
    assert.match(verdict.forModel, /Refused: "\.\.\/x" is outside the workspace.*ask the user/s);
    assert.equal(verdict.forUser, '"../x" is outside the workspace.');
    const home = await policyOver({}).policy.check('~', 'read');
    assert.match('forModel' in home ? home.forModel : '', /a home folder is not in the workspace/);
    const long = await policyOver({}).policy.check('x'.repeat(5000), 'read');
    assert.ok('forModel' in long && long.forModel.length < 400);
  });
});

describe('tools: the file policy on secrets', () => {
  const names: Record<string, string[]> = {
    environment: [
      '.env',
      '.ENV',
      '.env.local',
      '.env.example',
      '.envrc',
      'config/.env.prod',
      'prod.env',
      'app.env.local',
      '.env/x',
    ],
    key: [
      'server.pem',
      'SERVER.PEM',
      'a.key',
      'a.p12',
      'a.pfx',
      'id_rsa',
      'id_ed25519',
      'id_rsa.bak',
      'a.jks',
      'ca.crt',
      'a.cer',
      'a.ppk',
    ],
    credentials: [
      '.netrc',
      '_netrc',
      '.npmrc',
      '.pypirc',
      '.git-credentials',
      '.aws/config',
      '.ssh/known_hosts',
      '.docker/config.json',
      '.kube/config',
      'secrets.yml',
      'credentials.json',
      'client_secret_1.json',
      'vault.kdbx',
      'a.tfstate',
      '.bash_history',
      '.cargo/credentials',
      '.config/gh/hosts.yml',
      '.gnupg/x',
    ],
    repository: [
      '.git/config',
      '.GIT/config',
      'sub/.git/HEAD',
      '.git',
      'git~1/config',
      '.git./config',
      '.git::$INDEX_ALLOCATION/config',
      '.g\u200cit/config',
    ],
  };
  for (const [reason, paths] of Object.entries(names)) {
    for (const path of paths) {
      it(`never lets ${JSON.stringify(path)} through`, async () => {
        const { judge } = policyOver({ [`/work/${path}`]: 'secret' });
        assert.equal(await judge(path), reason);
        assert.equal(await judge(path, 'edit'), reason);
        assert.equal(await judge(path, 'create'), reason);
        assert.equal(await judge(path, 'attach'), reason);
      });
    }
  }

  for (const path of [
    'environment.ts',
    'src/env.ts',
    'vite-env.d.ts',
    'keys.ts',
    'monkey',
    'id_rsa.pub',
    '.gitignore',
    '.github/workflows/a.yml',
    '.docker/Dockerfile',
    'credentials/list.ts',
    'pem.md',
    'config.env.ts',
    'secrets.md',
    '.gitattributes',
  ]) {
    it(`has nothing against ${path}`, async () => {
      assert.equal(await policyOver({ [`/work/${path}`]: '' }).judge(path), `/work/${path}`);
    });
  }

  it('does not tell whether a secret exists', async () => {
    const entries: Record<string, MemoryEntry>[] = [
      { '/work/a': '' },
      { '/work/.env': '' },
      { '/work/.env': { linkTo: '/nowhere' } },
    ];
    for (const each of entries) assert.equal(await policyOver(each).judge('.env'), 'environment');
    for (const entry of ['/work/a', '/work/credentials'])
      assert.equal(await policyOver({ [entry]: '' }).judge('credentials'), 'credentials');
  });

  it('lists a folder of code that is named like a file of credentials', async () => {
    const { judge } = policyOver({
      '/work/credentials/list.ts': '',
      '/work/link': { linkTo: 'credentials' },
    });
    assert.equal(await judge('credentials', 'list'), '/work/credentials');
    assert.equal(await judge('link', 'list'), '/work/credentials');
  });

  it('refuses another name of a secret file, and one whose names are unknown', async () => {
    const { access, judge } = policyOver({ '/work/notes.md': '', '/work/.netrc': '', '/work/alone.md': '' });
    const find = access.find.bind(access);
    const linked = (stat: Awaited<ReturnType<typeof find>>, path: string) =>
      stat && { ...stat, identity: path.endsWith('alone.md') ? 'two' : 'one', links: 2 };
    access.find = async (path) => linked(await find(path), path);
    const { stat } = access;
    access.stat = async (path) => ({ ...(await stat.call(access, path)), ...(await access.find(path)) });
    assert.equal(await judge('notes.md'), 'linked');
    assert.equal(await judge('alone.md'), 'linked');
    access.delete('/work/.netrc');
    access.set('/work/other.md', '');
    assert.equal(await judge('notes.md'), '/work/notes.md');
  });

  it('keeps a store closed that was opened as the workspace', async () => {
    for (const path of ['/home/me/.ssh', '/home/me/a.git/.git', '/home/me/.config/gh/x']) {
      const folders = [{ name: 'store', path, isVirtual: false }];
      assert.equal(await policyOver({ [`${path}/x`]: '' }, { folders }).judge('x'), 'credentials');
    }
  });
});

describe('tools: the file policy on links', () => {
  const entries: Record<string, MemoryEntry> = {
    '/etc/passwd': 'root',
    '/work/a.ts': 'a',
    '/work/.env': 'S=1',
    '/work/.gitignore': 'dist\n',
    '/work/dist/x.js': '',
    '/work/inside': { linkTo: 'a.ts' },
    '/work/passwd': { linkTo: '/etc/passwd' },
    '/work/etc': { linkTo: '/etc' },
    '/work/up': { linkTo: '..' },
    '/work/loop': { linkTo: 'loop' },
    '/work/harmless.txt': { linkTo: '.env' },
    '/work/notes': { linkTo: 'dist/x.js' },
    '/work/dangling': { linkTo: '/etc/new' },
    '/work/sub/x': '',
  };
  const cases: [string, FileUse, string][] = [
    ['inside', 'read', '/work/a.ts'],
    ['passwd', 'read', 'outside'],
    ['etc/passwd', 'read', 'outside'],
    ['etc', 'list', 'outside'],
    ['up/etc/passwd', 'read', 'outside'],
    ['up/work/a.ts', 'read', '/work/a.ts'],
    ['loop', 'read', 'loop'],
    ['harmless.txt', 'read', 'environment'],
    ['notes', 'read', 'ignored'],
    ['etc/new', 'create', 'outside'],
    ['etc/deep/er/new', 'create', 'outside'],
    ['dangling', 'create', 'loop'],
    ['dangling/x', 'create', 'loop'],
    ['new/deep/file', 'create', '/work/new/deep/file'],
    ['a.ts', 'create', 'exists'],
    ['sub', 'create', 'exists'],
    ['sub', 'list', '/work/sub'],
    ['a.ts', 'list', 'not-a-folder'],
    ['gone', 'list', 'not-found'],
    ['a.ts/x', 'create', 'invalid'],
    ['passwd/x', 'create', 'outside'],
  ];
  for (const [path, use, expected] of cases) {
    it(`judges ${path} for ${use}: ${expected}`, async () => {
      assert.equal(await policyOver(entries).judge(path, use), expected);
    });
  }

  it('finds out at opening that a file was swapped for a link', async () => {
    const { access, policy } = policyOver({ '/work/a.ts': 'a', '/etc/passwd': 'root' });
    const file = await policy.check('a.ts', 'read');
    assert.ok(file.isAllowed);
    access.set('/work/a.ts', { linkTo: '/etc/passwd' });
    const open = await policy.open(file);
    assert.ok('reason' in open);
    assert.equal(open.reason, 'loop');
    const again = await policy.recheck(file);
    assert.ok(!again.isAllowed);
    assert.equal(again.reason, 'outside');
    access.delete('/work/a.ts');
    const gone = await policy.open(file);
    assert.ok('reason' in gone);
    assert.equal(gone.reason, 'not-found');
  });

  it('closes what it refuses when it is open: what cannot be read to its judgment, and what is no file', async () => {
    const { access, policy } = policyOver({ '/work/cookies': 'text', '/work/a.ts': 'a' });
    access.tellsPlaces = true;
    const judged = [await policy.check('cookies', 'read'), await policy.check('a.ts', 'read')] as const;
    const open = access.open.bind(access);
    let closed = 0;
    access.open = async (path) => {
      const file = await open(path);
      return {
        ...file,
        stat: { ...file.stat, type: path.endsWith('a.ts') ? 'other' : 'file' },
        read: () => Promise.reject(new Error('EIO')),
        close: async () => void closed++,
      };
    };
    const reasons: unknown[] = [];
    for (const verdict of judged) {
      assert.ok(verdict.isAllowed);
      const opened = await policy.open(verdict);
      reasons.push('reason' in opened && opened.reason);
    }
    assert.deepEqual([reasons, closed], [['unreadable', 'not-a-file'], 2]);
  });

  it('closes what it only judges', async () => {
    const { access, policy } = policyOver({ '/work/settings.xml': '<a/>' });
    const open = access.open.bind(access);
    let left = 0;
    access.open = async (path) => {
      left++;
      return { ...(await open(path)), close: async () => void left-- };
    };
    assert.deepEqual([await policy.mayRead('settings.xml'), left], [true, 0]);
  });

  it('judges a file again by where it is, not by how its name is written out', async () => {
    const { policy } = policyOver({ '/work/a\u200b.ts': 'a' });
    const file = await policy.check('a\u200b.ts', 'read');
    assert.ok(file.isAllowed);
    assert.notEqual(file.shown, 'a\u200b.ts');
    assert.ok((await policy.recheck(file)).isAllowed);
  });

  it('grants a file that was looked at to nobody who means another one by now', async () => {
    const { access, policy } = policyOver({ '/work/a.ts': 'a', '/work/b.ts': 'b' });
    const file = await policy.check('a.ts', 'edit');
    assert.ok(file.isAllowed);
    assert.equal((await policy.recheck(file)).isAllowed, true);
    access.set('/work/a.ts', { linkTo: '/work/b.ts' });
    const again = await policy.recheck(file);
    assert.ok(!again.isAllowed);
    assert.equal(again.reason, 'changed');
  });

  it('finds out at opening that a folder above was swapped, even when it is swapped back', async () => {
    const { access, policy } = policyOver({ '/work/d/a.ts': 'a', '/evil/a.ts': 'root' });
    const file = await policy.check('d/a.ts', 'read');
    assert.ok(file.isAllowed);
    access.beforeAccess = (method) => {
      if (method === 'open') access.set('/work/d', { linkTo: '/evil' });
      else access.delete('/work/d');
    };
    const open = await policy.open(file);
    assert.ok('reason' in open);
    assert.equal(open.reason, 'changed');
  });
});

describe('tools: the file policy on the system', () => {
  it('opens neither a drive of Windows as a whole nor what a session of a user keeps', async () => {
    const over = (path: string, entry: string, platform: NodeJS.Platform) =>
      policyOver(
        { [`${path}/${entry}`]: '' },
        { folders: [{ name: 'x', path, isVirtual: false }], platform },
      );
    assert.equal(await over('C:', 'a.ts', 'win32').judge('a.ts'), 'whole-system');
    for (const path of [
      ...['/run/user/1000', '/run/secrets', '/run/credentials', '/var/run/secrets'],
      ...['/dev/shm', '/sys', '/proc/1'],
    ])
      assert.equal(await over(path, 'a.ts', 'linux').judge('a.ts'), 'system', path);
  });
});

describe('tools: the file policy on rules', () => {
  it('obeys ignore files, nested and negated, and those above the folder up to the repository', async () => {
    const { judge } = policyOver(
      {
        '/repo/.git/HEAD': '',
        '/repo/.git/info/exclude': 'private.md\n',
        '/repo/.gitignore': '\uFEFF*.log\r\n/work/build/\r\nwork/gen\n',
        '/.gitignore': '*\n',
        '/repo/work/.switchboardignore': 'hidden*\n!hidden-not\n',
        '/repo/work/sub/.gitignore': '!keep.log\n/only-here\nspace\\ dir/\n#no-rule\n\\#rule\n',
        '/repo/work/sub/#x/.gitignore': 'y\n',
        '/repo/work/sub/[z]/.gitignore': 'y\n',
        '/repo/work/odd/.gitignore/x': '',
        ...Object.fromEntries(
          [
            'a.ts',
            'a.log',
            'sub/a.log',
            'sub/keep.log',
            'build/x',
            'sub/build/x',
            'gen/x/y',
            'hidden.md',
            'hidden-not',
            'sub/only-here',
            'sub/sub/only-here',
            'private.md',
            'sub/space dir/x',
            'sub/sub/space dir/x',
            'sub/#x/y',
            'sub/y',
            'sub/[z]/y',
            'sub/z/y',
            'sub/#no-rule',
            'sub/#rule',
            'odd/a',
            'build/.gitignore',
          ].map((path) => [`/repo/work/${path}`, '']),
        ),
      },
      { folders: [{ name: 'work', path: '/repo/work', isVirtual: false }] },
    );
    const verdicts: Record<string, string> = {
      'a.ts': '',
      'a.log': 'ignored',
      'sub/a.log': 'ignored',
      'sub/keep.log': '',
      'build/x': 'ignored',
      'sub/build/x': '',
      'gen/x/y': 'ignored',
      'hidden.md': 'ignored',
      'hidden-not': '',
      'sub/only-here': 'ignored',
      'sub/sub/only-here': '',
      'private.md': 'ignored',
      'sub/space dir/x': 'ignored',
      'sub/sub/space dir/x': 'ignored',
      'sub/#x/y': 'ignored',
      'sub/y': '',
      'sub/[z]/y': 'ignored',
      'sub/z/y': '',
      'sub/#no-rule': '',
      'sub/#rule': 'ignored',
      'odd/a': '',
    };
    for (const [path, expected] of Object.entries(verdicts)) {
      assert.equal(await judge(path), expected || `/repo/work/${path}`, path);
    }
    assert.equal(await judge('build/new', 'create'), 'ignored');
    assert.equal(await judge('build', 'list'), 'ignored');
    assert.equal(await judge('sub/build', 'list'), '/repo/work/sub/build');
  });

  it('follows an ignore file that is a link, and closes it', async () => {
    const { access, judge } = policyOver({
      '/work/.gitignore': { linkTo: 'shared/rules' },
      '/work/shared/rules': 'a\n',
      '/work/a': '',
      '/work/b': '',
    });
    const open = access.open.bind(access);
    let left = 0;
    access.open = async (path) => {
      left++;
      return { ...(await open(path)), close: async () => void left-- };
    };
    assert.deepEqual([await judge('a'), await judge('b'), left], ['ignored', '/work/b', 0]);
  });

  it('does not let one ignore file undo the other', async () => {
    const { judge } = policyOver({
      '/work/.gitignore': '!a\n',
      '/work/.switchboardignore': 'a\n',
      '/work/a': '',
    });
    assert.equal(await judge('a'), 'ignored');
  });

  it('refuses what the system does not permit to look at', async () => {
    for (const method of ['realPath', 'stat', 'find'] as const) {
      const { access, judge } = policyOver({ '/work/.gitignore': 'x', '/work/a': '' });
      access.beforeAccess = (called) => {
        if (called === method) throw Object.assign(new Error('no'), { code: 'EACCES' });
      };
      assert.match(await judge('a'), /^(unreadable|ignored)$/, method);
    }
  });

  it('reads ignore files as the system compares names: without case on a Mac, however accents are written', async () => {
    const entries = {
      '/work/.gitignore': 'Built\ncafe\u0301.txt',
      '/work/built': '',
      '/work/caf\u00e9.txt': '',
      '/work/sub/cafe\u0301.txt': '',
    };
    const over = (platform: NodeJS.Platform) => policyOver(entries, { platform });
    assert.equal(await over('darwin').judge('built'), 'ignored');
    assert.equal(await over('linux').judge('built'), '/work/built');
    assert.equal(await over('linux').judge('caf\u00e9.txt'), 'ignored');
    assert.equal(await over('linux').judge('sub/cafe\u0301.txt'), 'ignored');
  });

  it('closes a folder whose ignore file cannot be read', async () => {
    const { judge } = policyOver({
      '/work/s/.gitignore': 'x'.repeat(1_000_001),
      '/work/s/a': '',
      '/work/b': '',
    });
    assert.equal(await judge('s/a'), 'ignored');
    assert.equal(await judge('b'), '/work/b');
  });

  it('obeys the settings', async () => {
    const { judge } = policyOver(
      {
        '/work/a.map': '',
        '/work/x/out/b': '',
        '/work/keep/secret/c': '',
        '/work/n.draft': '',
        '/work/d.md': '',
      },
      { rules: { filesExclude: ['**/out', '*.map'], toolsExclude: ['secret', '*.draft'] } },
    );
    assert.equal(await judge('a.map'), 'excluded');
    assert.equal(await judge('x/out/b'), 'excluded');
    assert.equal(await judge('keep/secret/c'), 'excluded');
    assert.equal(await judge('n.draft'), 'excluded');
    assert.equal(await judge('d.md'), '/work/d.md');
    for (const [platform, expected] of [
      ['darwin', 'excluded'],
      ['linux', '/work/Secret/c'],
    ] as const) {
      for (const exclude of ['secret', 'secret/c']) {
        const inCase = policyOver({ '/work/Secret/c': '' }, { rules: { toolsExclude: [exclude] }, platform });
        assert.equal(await inCase.judge('Secret/c'), expected);
      }
    }
    const unreadable = policyOver({ '/work/d.md': '' }, { rules: { filesExclude: ['*a'.repeat(300)] } });
    assert.equal(await unreadable.judge('d.md'), 'excluded');
  });

  it('lets only what the user attached be read in an untrusted workspace', async () => {
    const { judge, policy } = policyOver({ '/work/a': '', '/work/b': '' }, { rules: { isTrusted: false } });
    assert.equal(await judge('a'), 'untrusted');
    assert.equal((await policy.attach('a')).isAllowed, true);
    assert.equal((await policy.attach('.env')).isAllowed, false);
    assert.equal(await judge('a'), '/work/a');
    assert.equal(await judge('b'), 'untrusted');
    assert.equal(await judge('no-such-file'), 'untrusted');
    assert.equal(await judge('a', 'edit'), 'untrusted');
    assert.equal(await judge('c', 'create'), 'untrusted');
    assert.equal(await judge('.', 'list'), 'untrusted');
  });
});

describe('tools: the file policy with several folders', () => {
  const folders = [
    { name: 'one', path: '/w/one', isVirtual: false },
    { name: 'two', path: '/w/two', isVirtual: false },
    { name: 'inner', path: '/w/two/inner', isVirtual: false },
  ];
  const { judge, policy } = policyOver(
    {
      '/w/one/a': '',
      '/w/two/b': '',
      '/w/two/inner/c': '',
      '/w/one/link': { linkTo: '../two/b' },
      '/w/x': '',
    },
    { folders },
  );

  it('takes a path with or without the name of a folder', async () => {
    assert.equal(await judge('one/a'), '/w/one/a');
    assert.equal(await judge('a'), '/w/one/a');
    assert.equal(await judge('b'), '/w/two/b');
    assert.equal(await judge('two/a'), 'not-found');
    assert.equal(await judge('../x'), 'outside');
    assert.equal(await judge('one/../../x'), 'outside');
  });

  it('names files by their innermost folder, also through links between folders', async () => {
    const shown = async (path: string) => {
      const verdict = await policy.check(path, 'read');
      return verdict.isAllowed && verdict.shown;
    };
    assert.equal(await shown('two/inner/c'), 'inner/c');
    assert.equal(await shown('one/link'), 'two/b');
  });

  it('looks in no further folder when the first one has the file and refuses it', async () => {
    const { judge: judgeBoth } = policyOver(
      { '/w/one/.gitignore': 'a\n', '/w/one/a': '', '/w/two/a': '' },
      { folders: folders.slice(0, 2) },
    );
    assert.equal(await judgeBoth('a'), 'ignored');
    assert.equal(await judgeBoth('two/a'), '/w/two/a');
  });

  it('judges a path by the innermost folder, and goes on where one is gone', async () => {
    const opened = policyOver(
      { '/w/one/secrets/a': '' },
      {
        folders: [
          { name: 'gone', path: '/gone', isVirtual: false },
          { name: 'one', path: '/w/one', isVirtual: false },
          { name: 'secrets', path: '/w/one/secrets', isVirtual: false },
        ],
      },
    );
    assert.equal(await opened.judge('/w/one/secrets/a'), '/w/one/secrets/a');
    assert.deepEqual(await opened.policy.namesOf('/w/one/secrets/a'), ['secrets/a', 'a', 'secrets/a']);
  });

  it('wants to know the folder of a new file', async () => {
    assert.equal(await judge('new', 'create'), 'invalid');
    assert.equal(await judge('two/new', 'create'), '/w/two/new');
  });
});

describe('tools: the file policy on Windows', () => {
  const { judge } = policyOver(
    {
      'C:/Work/src/a.ts': '',
      'C:/Work/.env': '',
      'C:/Work/.git/config': '',
      'C:/Work/ENV~1': { linkTo: 'C:/Work/.env' },
      'C:/Windows/x': '',
    },
    { folders: [{ name: 'Work', path: 'C:/Work', isVirtual: false }], platform: 'win32' },
  );
  const cases: [string, string][] = [
    ['src\\a.ts', 'C:/Work/src/a.ts'],
    ['SRC/A.TS', 'C:/Work/src/a.ts'],
    ['c:\\work\\src\\a.ts', 'C:/Work/src/a.ts'],
    ['..\\Windows\\x', 'outside'],
    ['src\\..\\..\\Windows\\x', 'outside'],
    ['C:\\Windows\\x', 'outside'],
    ['C:src\\a.ts', 'invalid'],
    ['\\Work\\src\\a.ts', 'invalid'],
    ['\\\\server\\share\\a', 'outside'],
    ['\\\\?\\C:\\Work\\src\\a.ts', 'outside'],
    ['\\\\.\\PhysicalDrive0', 'outside'],
    ['.env', 'environment'],
    ['.ENV', 'environment'],
    ['.env.', 'invalid'],
    ['.env ', 'invalid'],
    ['.env::$DATA', 'invalid'],
    ['ENV~1', 'environment'],
    ['.git\\config', 'repository'],
    ['GIT~1\\config', 'repository'],
    ['\\??\\C:\\Work\\src\\a.ts', 'outside'],
    ['src\\a.ts:stream', 'invalid'],
    ['C:\\Work\\src\\a.ts:stream', 'invalid'],
    ['src\\a.ts.', 'invalid'],
    ['src \\a.ts', 'invalid'],
    ...['CON', 'PRN', 'aux.c', 'CONIN$', 'CONOUT$', 'lpt1', 'LPT\u00b3'].map((name): [string, string] => [
      name,
      'invalid',
    ]),
    ['src\\nul.txt', 'invalid'],
    ['src\\com1', 'invalid'],
    ['src\\com¹', 'invalid'],
    ['src\\con .txt', 'invalid'],
  ];
  for (const [path, expected] of cases) {
    it(`judges ${JSON.stringify(path)}: ${expected}`, async () => assert.equal(await judge(path), expected));
  }
});

describe('tools: the file policy on anything', () => {
  const entries: Record<string, MemoryEntry> = {
    '/top': 'x',
    '/other/f': 'x',
    '/work/a/b': 'x',
    '/work/.env': 'x',
    '/work/.git/config': 'x',
    '/work/link': { linkTo: '/other' },
    '/work/a/up': { linkTo: '../../..' },
    '/work/k': { linkTo: '.env' },
    '/work/.aws/c': 'x',
    '/work/id_rsa': 'x',
  };
  const piece = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      '/',
      '\\',
      'work',
      'a',
      'b',
      'link',
      'up',
      'k',
      'f',
      'top',
      'other',
      '.env',
      '.git',
      'config',
      '.aws',
      'id_rsa',
      '~',
      'C:',
      '//',
      '%2e%2e',
      '%2f',
      '..;',
      '...',
      '\0',
      ' ',
      '.env ',
      '.ENV',
      '::$DATA',
      '\u202e',
      '／',
      '．．',
      'etc',
    ),
    fc.string({ maxLength: 3 }),
  );
  const path = fc
    .tuple(fc.array(piece, { maxLength: 8 }), fc.constantFrom('/', '\\', ''))
    .map(([pieces, separator]) => pieces.join(separator));

  for (const platform of ['linux', 'win32', 'darwin'] as const) {
    it(`never lets a path out or a secret through (${platform})`, async () => {
      const { policy } = policyOver(entries, { platform });
      await fc.assert(
        fc.asyncProperty(
          path,
          fc.constantFrom<FileUse>('read', 'list', 'edit', 'create', 'attach'),
          async (given, use) => {
            const verdict = await policy.check(given, use);
            if (!verdict.isAllowed) {
              assert.ok(verdict.forModel.length > 20);
              return;
            }
            assert.match(verdict.realPath, /^\/work(\/|$)/);
            assert.doesNotMatch(verdict.realPath, /(^|\/)(\.\.?|\.env.*|\.git|\.aws|id_rsa)(\/|$)/i);
            const links = ['/work/link', '/work/a/up', '/work/k'];
            assert.ok(!links.some((link) => `${verdict.realPath}/`.startsWith(`${link}/`)));
          },
        ),
        { numRuns: 3000 },
      );
    });
  }
});
