import assert from 'node:assert/strict';
import fc from 'fast-check';
import { secretName, secretPath } from '../../../../src/tools/policy/secretByName.ts';
import { processorMs } from '../../../support/processorTime.ts';

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
  ...['.rediscli_auth', '.config/glab-cli/config.yml', 'Local State', '.Xauthority', '.rhosts'],
  ...['secrets.tf', '.huggingface/token', 'env.production', '.aliyun/config.json'],
  ...['.tccli/default.credential', '.bluemix/config.json', '.config/scw/config.yaml'],
  ...['.config/hcloud/cli.toml', '.config/linode-cli', '.config/exoscale/exoscale.toml', '.civo.json'],
  ...['.vultr-cli.yaml', '.ovh.conf', '.hcloud/config.json', '.config/yandex-cloud/config.yaml'],
  ...['.cf/config.json', '.wrangler/config/default.toml', '.config/.wrangler/config/default.toml'],
  ...['.railway/config.json', '.render/cli.yaml', '.supabase/access-token'],
  ...['.config/planetscale/access-token', '.config/turso/settings.json', '.edgerc'],
  ...['.config/fastly/config.toml', '.config/argocd/config', '.rancher/cli2.json', '.talos/config'],
  ...['talosconfig', '.bao-token', '.nomad-token', '.consul-token', '.tsh/keys/x'],
  ...['.cloudflared/0b1c.json', '.acme.sh/account.conf', '.config/pypoetry/auth.toml'],
  ...['.hex/hex.config', '.pause', 'pub-tokens.json', 'pub-credentials.json', '.conan/.conan.db'],
  ...['.luarocks/upload_config.lua', '.vsce', '.ovsx', '.clasprc.json', '.arcrc', '.cabal/config'],
  ...['.config/pnpm/rc', '.pg_service.conf', '.mongoshrc.js', '.dbshell', 'cqlshrc'],
  ...['.influxdbv2/configs', '.clickhouse-client/config.xml', 'pgadmin4.db', 'cwallet.sso'],
  ...['.odbc.ini', '.circleci/cli.yml', '.travis/config.yml', '.gitlab-runner/config.toml'],
  ...['.config/tea/config.yml', '.jira.d/config.yml', '.coveralls.yml', '.ansible/galaxy_token'],
  ...['.puppetlabs/token', 'hudson.util.Secret', 'default_wallet', '.electrum/wallets/x'],
  ...['.near-credentials/testnet/x.json', '.aptos/config.yaml', '.starkli-wallets/x.json'],
  ...['.foundry/keystores/x', '.tezos-client/secret_keys', 'priv_validator_key.json', 'node_key.json'],
  ...['admin.macaroon', 'exodus.wallet/seed.seco', '.brownie/accounts/x.json', 'signons.txt'],
  ...['Extension Cookies', 'Safe Browsing Cookies', 'sessionstore.jsonlz4', 'recovery.jsonlz4'],
  ...['wand.dat', '.openai/auth.json', '.copilot/config.json', '.grok/user-settings.json'],
  ...['.comet.config', '.modal.toml', '.runpod/config.toml', '.vast_api_key'],
  ...['.lambda_cloud/lambda_keys', '.replicate/auth', '.codeium/config.json', '.opencode/auth.json'],
  ...['.kimi/config.toml', '.muttrc', '.neomuttrc', 'msmtp/config', '.lftp/bookmarks', 'winscp.ini'],
  ...['confCons.xml', 'mobaxterm.ini', '.vnc/passwd', '.remmina/x.remmina', '.ICEauthority'],
  ...['.shosts', '.google_authenticator', 'ipsec.secrets', 'chap-secrets', 'pap-secrets'],
  ...['wpa_supplicant.conf', 'home.nmconnection', 'users.htpasswd', 'LocalSettings.php'],
  ...['.sfdx/me@x.json', '.twilio-cli/config.json', '.config/meteor', '.meteorsession'],
  ...['.splunk/authToken', '.cntlm.conf', '.b2_account_info', '.rclone.conf', '.config/borg/keys/x'],
  ...['.dropbox_uploader', '.mc/config.json', '.lpass/key', 'Bitwarden CLI/data.json'],
  ...['bitwarden_export_2024.json', 'lastpass_export.csv', '.s3ql/authinfo2'],
  ...['.helm/repository/repositories.yaml', 'helm/repositories.yaml', '.dogrc', '.config/databricks'],
  ...['.config/sentry', '.wakatime.cfg', '.hgrc', '.subversion/auth/svn.simple/x', 'svn.simple/x'],
  ...['.openvpn/auth.txt', '.config/google-chrome/x', '.config/exercism/user.json'],
  ...['.config/snowflake/connections.toml', '.config/nushell/history.txt', 'weechat/sec.conf'],
  ...['.weechat/sec.conf', '.composer/auth.json', '.factory/auth.json', '.solana/id.json'],
  ...['.vault-token', 'env.local', 'secret.tf'],
  ...['Keychains/x.db', '.purple/accounts.xml', 'logins.json', 'krb5cc_1000', 'a.private-key'],
  ...['ssh_host_rsa_key', 'vault_password_file', `UTC--2026-01-01T00-00-00.0Z--${'0a'.repeat(20)}`],
];

const harmless = [
  ...[
    'credentials.ts',
    'credentials.test.tsx',
    'CredentialsProvider.java',
    'credentialshelper.json',
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
  ...['secrets.test.ts', 'cookies.md', 'keystore.ts', 'public.asc', 'env.ts', 'env.d.ts'],
  ...['env.development.ts', 'env.config.js', 'environment.production.ts', 'env/production.ts'],
  ...['local-state.ts', 'localState.json', 'state.ts', 'rhosts.go', 'xauthority.c', 'Xauthority.md'],
  ...['src/MyCompany.Secrets/Program.cs', 'src/MyCompany.Sso/Login.cs', 'huggingface/tokenizer.py'],
  ...['huggingface/token_utils.py', 'glab-cli/config.yml', '.config/dotnet-tools.json'],
  ...['.config/nextest.toml', '.config/tea.md', '.circleci/config.yml', '.travis.yml'],
  ...['.travis/build.sh', 'jenkins/Jenkinsfile'],
  ...['.cargo/config.toml', '.vscode/settings.json', 'helm/values.yaml', 'helm/Chart.yaml'],
  ...['charts/registry/config.json', '.helmignore', 'src/auth.json', 'src/app/auth.json'],
  ...['i18n/de/auth.json', 'pub/tokens.json', 'wallet.ts', 'wallet.json', 'keystore.json'],
  ...['exodus.ts', 'bitwarden.json', 'bitwarden-api.json', '1password.md', 'lastpass/index.ts'],
  ...['dashlane.csv.md', 'default_wallet.ts', 'node_key.ts', 'cookies.json', 'Cookies.tsx'],
  ...['recovery.js', 'previous.js', 'sessionstore.ts', 'talosconfig.go', 'hex.config.ts'],
  ...['hex/index.ts', 'mc/config.json', 'nuget.config', 'settings.xml', 'bunfig.toml', 'config.json'],
  ...['keys.txt', 'nginx.conf', 'trace.har', 'public-key.asc', '.mcp.json', '.cursor/mcp.json'],
  ...['.editorconfig', 'vault/token.ts', 'src/render/cli.yaml', 'railway/config.ts'],
  ...['supabase/config.toml', 'supabase/migrations/1.sql', 'wrangler.toml', '.wrangler/state.json'],
  ...['cf/config.json', 'mozilla/index.ts'],
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
  ['Kopie von x', (name) => `Kopie von ${name}`],
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
