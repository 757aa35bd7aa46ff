import assert from 'node:assert/strict';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { FilePolicy } from '../../src/tools/policy/filePolicy.ts';
import type { FileSystem } from '../../src/tools/files/fileSystem.ts';
import { nodeFileSystem } from '../../src/tools/files/nodeFileSystem.ts';
import type { FileUse } from '../../src/tools/policy/verdict.ts';
import type { PolicyRules } from '../../src/tools/files/workspace.ts';
import { MemoryFiles, type MemoryEntry } from '../support/memoryFiles.ts';
import type { Target } from './property.ts';

const uses: FileUse[] = ['read', 'list', 'edit', 'create', 'attach'];

function policyOver(
  access: FileSystem,
  root = '/work',
  rules: Partial<PolicyRules> = {},
  platform: NodeJS.Platform = 'linux',
) {
  const all = { isTrusted: true, filesExclude: [], toolsExclude: [], toolsProtected: [], ...rules };
  return new FilePolicy(
    {
      folders: () => [{ name: 'work', path: root, isVirtual: false }],
      rules: () => all,
      access,
      encodingOf: () => undefined,
    },
    { platform },
  );
}

async function contentOf(policy: FilePolicy, path: string): Promise<string | undefined> {
  const verdict = await policy.check(path, 'read');
  if (!verdict.isAllowed) return undefined;
  const open = await policy.open(verdict);
  if ('reason' in open) return undefined;
  const bytes = new Uint8Array(200);
  const length = await open.read(bytes, 0);
  await open.close();
  return Buffer.from(bytes.subarray(0, length)).toString();
}

const secretNames = [
  ...[
    '.env',
    '.env.production',
    'prod.env',
    '.npmrc',
    '.netrc',
    'id_rsa',
    'id_ed25519',
    'server.pem',
    'tls.key',
    'x.p12',
  ],
  ...[
    'terraform.tfvars',
    'terraform.tfstate',
    'kubeconfig',
    'credentials.json',
    '.git-credentials',
    '.htpasswd',
  ],
  ...[
    '.aws/credentials',
    '.ssh/config',
    '.kube/config',
    '.docker/config.json',
    '.m2/settings.xml',
    'secrets/db.yml',
  ],
  ...[
    '.git/config',
    '.hg/hgrc',
    'accessKeys.csv',
    'local.settings.json',
    'vault.kdbx',
    'deploy_key',
    '.pgpass',
    'pip.conf',
  ],
];
const protectedNames = [
  ...[
    '.vscode/tasks.json',
    'x.code-workspace',
    '.devcontainer/devcontainer.json',
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
  ],
  ...[
    'package.json',
    'pyproject.toml',
    '.gitignore',
    '.switchboardignore',
    '.gitlab-ci.yml',
    'Jenkinsfile',
    '.bashrc',
    'AGENTS.md',
  ],
  ...[
    '.mcp.json',
    '.cursor/rules/x.mdc',
    'yarn.lock',
    '.gitattributes',
    'Dockerfile',
    'Makefile',
    'justfile',
    'Taskfile.yml',
  ],
];

type Disguise = (name: string, at: number) => string;
const wide = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0);
/** Names that some file system takes for the same file. */
const disguises: Record<string, Disguise> = {
  'as it is': (name) => name,
  'in upper case': (name) => name.toUpperCase(),
  'in mixed case': (name, at) =>
    name.replace(/[a-z]/gi, (letter, index: number) =>
      ((at >> (index % 16)) & 1) === 1 ? letter.toUpperCase() : letter.toLowerCase(),
    ),
  'with a character without width': (name, at) =>
    insert(name, at, ['\u200b', '\u200d', '\ufeff', '\u2060'][at % 4] ?? ''),
  'full-width': (name, at) => {
    const places = [...name.matchAll(/[A-Za-z0-9_]/g)].map(({ index }) => index);
    const place = places[at % places.length] ?? 0;
    return name.slice(0, place) + wide(name.charAt(place)) + name.slice(place + 1);
  },
  'with a dot or space behind': (name, at) => name + ['.', ' ', '. .'][at % 3],
  'with a stream behind': (name, at) => name + ['::$DATA', ':x', ':x:$DATA'][at % 3],
};
/** Copies are as secret as their originals. */
const copies: Record<string, Disguise> = {
  'a copy': (name, at) =>
    name + ['.bak', '~', '.old', '.orig', '.1', '.swp', '.gz', ' copy', '.bak.2'][at % 9],
};

function insert(text: string, at: number, piece: string): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + piece + text.slice(place);
}

const disguised = (names: readonly string[], ways: Record<string, Disguise>) =>
  fc
    .tuple(
      fc.constantFrom(...names),
      fc.constantFrom(...Object.keys(ways)),
      fc.nat(),
      fc.constantFrom('', 'src/', 'a b/ä/', 'docs/x/'),
    )
    .map(([name, way, at, folder]) => folder + (ways[way]?.(name, at) ?? name));

/** A small file system in which only these files may be read. */
const openFiles = ['a.txt', 'src/b.ts', 'src/deep/c.md', 'docs/ä.md'];
const closedFiles = [
  ...[
    '/work/.env',
    '/work/src/.env.local',
    '/work/.git/config',
    '/work/secrets/db',
    '/work/ignored/n.txt',
    '/work/src/x.log',
  ],
  ...['/outside/x.txt', '/etc/passwd', '/workshop/y.txt', '/home/me/.ssh/id_rsa', '/work2/z.txt'],
];
const world: Record<string, MemoryEntry> = Object.fromEntries([
  ['/work/.gitignore', 'ignored/\n*.log\n'],
  ...openFiles.map((path) => [`/work/${path}`, `open ${path}`]),
  ...closedFiles.map((path) => [path, `closed ${path}`]),
]);

const targets = fc.constantFrom(
  ...[
    ...closedFiles,
    ...openFiles.map((path) => `/work/${path}`),
    '/outside',
    '/work/src',
    '/work',
    '/',
    '/work/secrets',
    '/home/me',
  ],
  ...[
    '..',
    '../..',
    '../outside/x.txt',
    '.env',
    'src',
    'ignored',
    'link',
    '../work/src',
    './a.txt',
    'nothing',
  ],
);
const linkNames = ['link', 'src/link', 'docs/link', 'link.txt', 'src/deep/up', 'readme.md'];
const links = fc.dictionary(fc.constantFrom(...linkNames), targets, { maxKeys: 3, noNullPrototype: true });
const segment = fc.constantFrom(
  ...[
    '..',
    '.',
    '',
    'work',
    'outside',
    'src',
    'deep',
    'docs',
    'secrets',
    '.env',
    'a.txt',
    'b.ts',
    'c.md',
    'x.txt',
    'etc',
    'passwd',
  ],
  ...[
    'link',
    'link.txt',
    'up',
    'readme.md',
    'ignored',
    'n.txt',
    'x.log',
    '.git',
    'config',
    'home',
    'me',
    '.ssh',
    'id_rsa',
    'ä.md',
    'a\u0308.md',
  ],
);
const asked = fc
  .tuple(fc.constantFrom('', '/', '/work/', './', '../'), fc.array(segment, { maxLength: 6 }))
  .map(([start, segments]) => start + segments.join('/'));

const globPart = fc.constantFrom(
  '**',
  '*',
  'a*',
  '*.ts',
  'src',
  'build',
  'b?',
  '[ab]c',
  '{src,docs}',
  '*.{ts,md}',
  'x',
  '.x',
);
const globs = fc.array(globPart, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const pathPart = fc.constantFrom('src', 'build', 'a', 'ab.ts', 'bc', 'ac', 'docs', 'x', 'x.md', 'x.ts', '.x');

function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

export const target: Target = {
  'lets no secret file through, however its name is written': {
    runs: 2500,
    property: fc.asyncProperty(
      disguised(secretNames, { ...disguises, ...copies }),
      fc.constantFrom(...uses),
      fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32'),
      fc.boolean(),
      async (path, use, platform, isThere) => {
        const root = platform === 'win32' ? 'C:/work' : '/work';
        const access = new MemoryFiles(
          { [`${root}/a.txt`]: '', ...(isThere && { [`${root}/${path}`]: 'closed' }) },
          platform !== 'linux',
        );
        const verdict = await policyOver(access, root, {}, platform).check(path, use);
        assert.equal(verdict.isAllowed, false);
      },
    ),
  },
  'asks before a protected file is changed, however its name is written': {
    runs: 2000,
    property: fc.asyncProperty(
      disguised(protectedNames, disguises),
      fc.constantFrom<FileUse>('edit', 'create'),
      fc.constantFrom<NodeJS.Platform>('linux', 'darwin', 'win32'),
      async (path, use, platform) => {
        const root = platform === 'win32' ? 'C:/work' : '/work';
        const entries = { [`${root}/a.txt`]: '', ...(use === 'edit' && { [`${root}/${path}`]: '' }) };
        const verdict = await policyOver(
          new MemoryFiles(entries, platform !== 'linux'),
          root,
          {},
          platform,
        ).check(path, use);
        assert.ok(!verdict.isAllowed || verdict.protection !== undefined, path);
      },
    ),
  },
  'gives nothing of what is closed, by links and dots of any kind': {
    runs: 3000,
    property: fc.asyncProperty(links, asked, async (linked, path) => {
      const access = new MemoryFiles(world);
      for (const [name, linkTo] of Object.entries(linked)) access.set(`/work/${name}`, { linkTo });
      const policy = policyOver(access);
      const content = await contentOf(policy, path);
      assert.ok(content === undefined || !content.startsWith('closed'), content);
      for (const use of ['edit', 'create'] as const) {
        const verdict = await policy.check(path, use);
        if (!verdict.isAllowed) continue;
        assert.match(verdict.realPath, /^\/work\//);
        assert.ok(!closedFiles.includes(verdict.realPath));
        // Outside of linked folders, a path is its real path.
        const folder = dirname(verdict.realPath);
        assert.equal(await access.realPath(folder).catch(() => folder), folder);
      }
    }),
  },
  'gives what is open': {
    runs: 500,
    property: fc.asyncProperty(
      links,
      fc.constantFrom(...openFiles),
      fc.boolean(),
      async (linked, path, isAbsolute) => {
        const access = new MemoryFiles(world);
        for (const [name, linkTo] of Object.entries(linked)) access.set(`/work/${name}`, { linkTo });
        assert.equal(
          await contentOf(policyOver(access), isAbsolute ? `/work/${path}` : path),
          `open ${path}`,
        );
      },
    ),
  },
  'gives nothing of what is closed when a link is put in at any moment': {
    runs: 1500,
    property: fc.asyncProperty(
      fc.constantFrom('src/b.ts', 'a.txt', 'src/deep/c.md'),
      fc.constantFrom('/work/src', '/work/a.txt', '/work/src/b.ts', '/work/src/deep', '/work/src/deep/c.md'),
      fc.constantFrom('/outside', '/work/.env', '/outside/x.txt', '/home/me', '/work/secrets'),
      fc.nat(40),
      async (path, swapped, linkTo, moment) => {
        const names = ['b.ts', 'c.md', 'deep/c.md'];
        const access = new MemoryFiles({
          ...world,
          ...Object.fromEntries(
            ['/outside', '/home/me', '/work/secrets'].flatMap((folder) =>
              names.map((name) => [`${folder}/${name}`, 'closed']),
            ),
          ),
        });
        let accesses = 0;
        access.beforeAccess = () => {
          if (accesses++ !== moment) return;
          for (const each of access.entries.keys()) if (each.startsWith(`${swapped}/`)) access.delete(each);
          access.set(swapped, { linkTo });
        };
        const content = await contentOf(policyOver(access), path);
        assert.ok(content === undefined || !content.startsWith('closed'), content);
      },
    ),
  },
  'reads no file of which one name is closed, by hard links on a real disk': {
    runs: 120,
    property: fc.asyncProperty(
      fc.array(
        fc.tuple(fc.nat(), fc.constantFrom('n1.txt', 'src/n2.ts', '.env.x', 'ignored/n3', '../outside/n4')),
        { maxLength: 5 },
      ),
      async (pairs) => {
        const base = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-fuzz-')));
        try {
          const closed = ['.env', 'ignored/x', '../outside/x.txt'];
          const files = ['a.txt', 'src/b.ts', ...closed];
          for (const path of files) {
            mkdirSync(dirname(join(base, 'work', path)), { recursive: true });
            writeFileSync(join(base, 'work', path), path);
          }
          writeFileSync(join(base, 'work', '.gitignore'), 'ignored/\n');
          const namesOf = new Map(files.map((path) => [path, [path]]));
          for (const [at, name] of pairs) {
            const from = files[at % files.length] ?? '';
            if ([...namesOf.values()].some((names) => names.includes(name))) continue;
            linkSync(join(base, 'work', from), join(base, 'work', name));
            namesOf.get(from)?.push(name);
          }
          symlinkSync(join(base, 'outside'), join(base, 'work', 'way-out'));
          const policy = policyOver(nodeFileSystem, join(base, 'work'));
          const isClosed = (name: string) => /^(\.env|ignored\/|\.\.\/)/.test(name);
          for (const [file, names] of namesOf) {
            for (const name of names) {
              assert.equal(await contentOf(policy, name), names.some(isClosed) ? undefined : file, name);
            }
          }
        } finally {
          removeTree(base);
        }
      },
    ),
  },
  'keeps out what a glob excludes, with all below it': {
    runs: 1500,
    property: fc.asyncProperty(
      globs,
      fc.array(pathPart, { minLength: 1, maxLength: 4 }),
      async (glob, parts) => {
        // picomatch wants a path below a glob of only wildcards that ends in `**`.
        fc.pre(!/[*?\]}]\/\*\*$/.test(glob));
        const path = parts.join('/');
        const policy = policyOver(new MemoryFiles({ [`/work/${path}`]: '' }), '/work', {
          toolsExclude: [glob],
        });
        const matches = picomatch(glob.includes('/') ? glob : `**/${glob}`, { dot: true, noextglob: true });
        const isOut = parts.some((_, index) => matches(parts.slice(0, index + 1).join('/')));
        const verdict = await policy.check(path, 'read');
        assert.equal(verdict.isAllowed ? 'read' : verdict.reason, isOut ? 'excluded' : 'read');
      },
    ),
  },
};
