import assert from 'node:assert/strict';
import fc from 'fast-check';
import { secretName, secretPath } from '../../../src/tools/policy/secretFiles.ts';
import { processorMs } from '../../support/processorTime.ts';

/** What people have, as they have it. */
const secrets = [
  ...['terraform.tfvars', 'prod.auto.tfvars', 'x.tfvars.json', 'terraform.tfstate', 'plan.tfplan'],
  ...[
    '.m2/settings.xml',
    '.gradle/gradle.properties',
    'pip.conf',
    'pip.ini',
    '.nuget/NuGet.Config',
    'auth.json',
  ],
  ...['kubeconfig', 'kubeconfig-prod.yaml', 'dev.kubeconfig', '.kube/config', '.docker/config.json'],
  ...['.vercel/auth.json', '.netlify/config.json', '.databricks/token-cache.json', '.sentryclirc'],
  ...['.aws-credentials', 'firebase-adminsdk.json'],
  ...['myapp-firebase-adminsdk-x1y2.json', 'service-account.json', 'gcp-key.json', 'client_secret_1.json'],
  ...['credentials', 'credentials.csv', 'credentials-prod.json', '.credentials.json', 'credentials.yml.enc'],
  ...[
    'accessKeys.csv',
    'me_accessKeys.csv',
    'rootkey.csv',
    '.dev.vars',
    '.dev.vars.production',
    'local.settings.json',
  ],
  ...['.vault_pass', '.vault_pass.txt', 'vault-password', '.databrickscfg', '.curlrc', '.netrc', '.wgetrc'],
  ...['.secrets', '.secrets/x', 'secrets/db.txt', 'deploy/secrets/x', 'secrets.yaml', 'secret-prod.yaml'],
  ...[
    'deploy_key',
    'my.deploy-key',
    'id_ed25519',
    'private_key',
    'private-key.txt',
    'a.pem',
    'a.keytab',
    'a.snk',
  ],
  ...[
    'cookies.sqlite',
    'cookies.txt',
    'Default/Cookies',
    'Network/Cookies',
    'Login Data',
    'Web Data',
    'key4.db',
  ],
  ...['.codex/auth.json', '.claude/.credentials.json', '.claude.json', '.gemini/oauth_creds.json'],
  ...['.config/github-copilot/hosts.json', '.local/share/opencode/auth.json', '.qwen/oauth_creds.json'],
  ...[
    'passwords.xlsx',
    'password.txt',
    '.passwd',
    'token.json',
    '.token',
    'api_keys.json',
    'openrc.sh',
    'x-openrc.sh',
  ],
  ...[
    '.Renviron',
    '.flaskenv',
    '.env',
    '.env.local',
    'prod.env',
    '.zsh_history',
    'wp-config.php',
    '.vscode/sftp.json',
  ],
];

const harmless = [
  ...[
    'credentials.ts',
    'credentials.test.tsx',
    'CredentialsProvider.java',
    'credentials.md',
    'credential.ts',
  ],
  ...[
    'credentials/list.ts',
    'src/credentials/index.ts',
    'locales/en/auth.json',
    'settings.xml',
    'config.json',
  ],
  ...[
    'secrets.ts',
    'secrets.md',
    'tokens.json',
    'token.ts',
    'tokenizer.json',
    'keys.ts',
    'monkey',
    'keyboard.json',
  ],
  ...[
    'cookies.ts',
    'node_modules/cookies/index.js',
    'shadow/index.ts',
    'password/field.tsx',
    'cache.bak',
    'a.txt~',
  ],
  ...[
    'README.md.orig',
    'v1.0.2',
    'index.old.html',
    'environment.ts',
    'id_rsa.pub',
    'public_key.txt',
    'deploy.sh',
  ],
  ...[
    'design-tokens.json',
    'copy of a.txt',
    'notes (1).md',
    'vault.ts',
    'pass.ts',
    'package-lock.json',
    'a.gz',
  ],
];

const copies: [string, (name: string) => string][] = [
  ...[
    '.bak',
    '~',
    '.old',
    '.orig',
    '.save',
    '.save.1',
    '.1',
    '.bak2',
    '.20240131',
    '.~3~',
    '.backup',
    '.tmp',
  ].map((end): [string, (name: string) => string] => [`x${end}`, (name) => name + end]),
  ...[
    '.bak.old~',
    '_old',
    '-backup',
    ' copy',
    ' copy 2',
    ' (1)',
    ' - Copy',
    ' - 副本',
    '.dpkg-old',
    '.zip',
    '.tar.gz',
  ].map((end): [string, (name: string) => string] => [`x${end}`, (name) => name + end]),
  ['.x.swp', (name) => `.${name}.swp`],
  ['#x#', (name) => `#${name}#`],
  ['.#x', (name) => `.#${name}`],
  ['Copy of x', (name) => `Copy of ${name}`],
];

const withName = (path: string, change: (name: string) => string) => {
  const cut = path.lastIndexOf('/') + 1;
  return path.slice(0, cut) + change(path.slice(cut));
};

describe('tools: files that hold secrets', () => {
  for (const path of secrets) {
    it(`knows ${path}`, () => {
      assert.ok(secretPath(path, false));
      assert.ok(secretPath(`sub/deep/${path}`, false) || path === 'auth.json');
    });

    it(`knows ${path} in capitals, decomposed, full-width and with characters that are not seen`, () => {
      const full = (name: string) =>
        name.replace(/[!-.0-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
      for (const form of [
        path.toUpperCase(),
        path.normalize('NFD'),
        path.normalize('NFC'),
        withName(path, full),
        withName(path, (name) => name.split('').join('\u200b')),
        withName(path, (name) => `${name}. `),
        withName(path, (name) => `${name}::$DATA`),
      ]) {
        assert.ok(secretPath(form, false), JSON.stringify(form));
      }
    });

    it(`knows the copies of ${path}`, () => {
      for (const [shown, copy] of copies) {
        const name = withName(path, copy);
        assert.ok(secretPath(name, false), `${shown}: ${name}`);
        assert.ok(secretPath(name.toUpperCase(), false), `${shown}: ${name.toUpperCase()}`);
      }
    });
  }

  for (const path of harmless) {
    it(`has nothing against ${path}`, () => assert.equal(secretPath(path, false), undefined));
  }

  it('knows copies whose mark stands before the extension, and those of stores', () => {
    for (const path of [
      'credentials (1).json',
      'terraform copy 2.tfvars',
      'secrets - Copy.yml',
      'client_secret.bak.json',
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
