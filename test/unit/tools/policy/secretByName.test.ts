import assert from 'node:assert/strict';
import fc from 'fast-check';
import { secretName, secretPath } from '../../../../src/tools/policy/secretByName.ts';
import listed from '../../../fixtures/secretPaths.txt';
import { listedPaths } from '../../../support/listedPaths.ts';
import { processorMs } from '../../../support/processorTime.ts';

const paths = listedPaths(listed);
const secrets = paths.filter(({ verdict }) => verdict !== 'harmless').map(({ path }) => path);

const withName = (path: string, change: (name: string) => string) => {
  const cut = path.lastIndexOf('/') + 1;
  return path.slice(0, cut) + change(path.slice(cut));
};

describe('tools: files that hold secrets', () => {
  it('judges each listed path as the list says', () => {
    assert.deepEqual(
      paths.map(({ path }) => ({ path, verdict: secretPath(path, false) ?? 'harmless' })),
      paths,
    );
  });

  it('knows the listed secrets below other folders, except for what has its name at the top alone', () => {
    const missed = secrets.filter((path) => !secretPath(`sub/deep/${path}`, false));
    assert.deepEqual(missed, ['auth.json']);
  });

  const copyEnds = [
    '.bak|~|.old|.orig|.save|.save.1|.1|.bak2|.20240131|.~3~|.backup|.tmp|.bak.old~|_old|-backup',
    ' copy| copy 2| (1)| - Copy| - 副本|备份|.bck|.bkp|.original|.saved|.sav|.prev|.previous|.temp',
    '.rej|.swo|.swn|.kopie|.copie|.copia|.rpmsave|.rpmnew|.rpmorig|.dpkg-old|.dpkg-new|.dpkg-bak',
    '.dpkg-dist|.dpkg-tmp|.ucf-old|.ucf-new|.ucf-dist|copy|backup| - Kopie|copie| - copia|kopie',
    'copia|copy 3|copy (3)| copy (2)|.zip|.tar.gz|.tgz|.bz2|.xz|.zst|.7z|.rar|.lz4|.copy',
  ].flatMap((ends) => ends.split('|'));
  const names: Record<string, (name: string) => string> = {
    'full width': (name) =>
      name.replace(/[!-.0-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    'characters that are not seen': (name) => name.split('').join('\u200b'),
    'an end that Windows drops': (name) => `${name}. `,
    'a stream of NTFS': (name) => `${name}::$DATA`,
    ...Object.fromEntries(copyEnds.map((end) => [`x${end}`, (name: string) => name + end])),
    '.x.swp': (name) => `.${name}.swp`,
    '#x#': (name) => `#${name}#`,
    '.#x': (name) => `.#${name}`,
    'Copy of x': (name) => `Copy of ${name}`,
    'Backup of x': (name) => `Backup of ${name}`,
    'Kopie von x': (name) => `Kopie von ${name}`,
  };
  const changes: Record<string, (path: string) => string> = {
    decomposed: (path) => path.normalize('NFD'),
    composed: (path) => path.normalize('NFC'),
    ...Object.fromEntries(
      Object.entries(names).map(([title, change]) => [title, (path: string) => withName(path, change)]),
    ),
  };
  for (const [title, change] of Object.entries(changes)) {
    it(`knows the listed secrets in another form, also in capitals: ${title}`, () => {
      const changed = secrets.map(change);
      const missed = [...changed, ...changed.map((path) => path.toUpperCase())].filter(
        (path) => !secretPath(path, false),
      );
      assert.deepEqual(missed, []);
    });
  }

  it('takes a backslash for a separator everywhere', () => {
    assert.equal(secretPath('config\\.env', false), 'environment');
    assert.equal(secretPath('.docker\\config.json', false), 'credentials');
  });

  it('knows copies whose mark stands before the extension, and those of stores', () => {
    for (const path of [
      'credentials (1).json',
      'terraform copy 2.tfvars',
      'secrets - Copy.yml',
      'client_secret.bak.json',
      'secrets - 副本.yml',
      'secrets 备份 (2).yml',
      ...['clouds.bak.yaml', 'clouds_backup.yaml', 'clouds-old2.yaml', 'clouds.orig.yaml', 'clouds (1).yaml'],
      ...['clouds copy 2.yaml', 'clouds - copy (2).yaml', 'clouds copy.yaml', 'clouds 备份.yaml'],
    ]) {
      assert.ok(secretPath(path, false), path);
    }
    for (const path of ['.ssh.bak/config', '.aws_old/config', 'secrets-old/x', '.git.bak/config']) {
      assert.ok(secretPath(path, false), path);
    }
  });

  it('judges any name in time that grows with its length', () => {
    for (const piece of [
      '-adminsdk-',
      '.bak',
      '~',
      '.1',
      ' (1)',
      ' copy',
      'credentials',
      '.env',
      'key',
      '#',
      '.#',
      'secret.',
      '-_.',
    ]) {
      const name = piece.repeat(20_000 / piece.length);
      assert.ok(processorMs(() => secretName(name, name, false)) < 500, piece);
    }
  });

  it('never throws, and knows a secret whatever folders lie above', () => {
    const folder = fc.string({ maxLength: 6 }).filter((name) => !/[\\/]/.test(name));
    fc.assert(
      fc.property(fc.array(folder, { maxLength: 4 }), fc.constantFrom(...secrets), (above, path) => {
        assert.ok(secretPath([...above, 'x', path].join('/'), false) || path === 'auth.json');
      }),
    );
  });
});
