import { canonicalName } from './canonicalName.ts';

/** Why no model ever gets to touch a file. */
export type SecretKind = 'environment' | 'key' | 'credentials' | 'repository';

/*
 * Own lists, since no package fits: the rules of secretlint and gitleaks look at contents, and as file names know
 * `.env` alone. What is listed is what tools keep keys and passwords in by default, and what the lists of gitrob and
 * of gitleaks' path rules name.
 */

/** Folders that hold keys or passwords: nothing below them is touched. */
const stores = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.kube',
  '.gcloud',
  '.oci',
  '.password-store',
  '.terraform.d',
  '.1password',
  '.keychain',
  '.mcp-auth',
  '.secrets',
  'keychains',
  'keyrings',
]);

/** The same inside a workspace; a workspace that lies in a folder of this name may be about anything. */
const secretFolders = new Set(['secrets', '.secret', '.vault']);

/** Names that only mean this together with the folder they lie in. */
const nested = new Set([
  // Under `.config`, each a folder.
  '.config/configstore',
  '.config/doctl',
  '.config/gcloud',
  '.config/gh',
  '.config/github-copilot',
  '.config/helm',
  '.config/heroku',
  '.config/hub',
  '.config/netlify',
  '.config/ngrok',
  '.config/op',
  '.config/rclone',
  '.config/stripe',
  // Files of tools of the cloud and of packages.
  '.azure/accesstokens.json',
  '.azure/azureprofile.json',
  '.azure/msal_token_cache.bin',
  '.azure/msal_token_cache.json',
  '.azure/service_principal_entries.json',
  '.bundle/config',
  '.cargo/credentials',
  '.chef/knife.rb',
  '.composer/auth.json',
  '.dbt/profiles.yml',
  '.docker/config.json',
  '.fly/config.yml',
  '.gem/credentials',
  '.gradle/gradle.properties',
  '.ivy2/.credentials',
  '.jfrog/jfrog-cli.conf',
  '.kaggle/kaggle.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.ngrok2/ngrok.yml',
  '.nuget/nuget.config',
  '.openstack/clouds.yaml',
  '.sbt/.credentials',
  '.snowflake/config.toml',
  '.snowflake/connections.toml',
  '.snowsql/config',
  '.solana/id.json',
  '.vagrant.d/insecure_private_key',
  'composer/auth.json',
  'containers/auth.json',
  'gcloud/application_default_credentials.json',
  'git/credentials',
  'huggingface/token',
  'huggingface/stored_tokens',
  'age/keys.txt',
  'solana/id.json',
  // Assistants.
  '.codex/auth.json',
  '.continue/config.json',
  '.continue/config.yaml',
  '.factory/auth.json',
  '.gemini/google_accounts.json',
  '.qwen/oauth_creds.json',
  'github-copilot/apps.json',
  'github-copilot/hosts.json',
  'io.datasette.llm/keys.json',
  'opencode/auth.json',
  // Editors' uploads and data sources.
  '.idea/datasources.local.xml',
  '.idea/webservers.xml',
  '.purple/accounts.xml',
  '.vscode/sftp.json',
  // Browsers.
  'default/cookies',
  'default/cookies-journal',
  'network/cookies',
  'network/cookies-journal',
]);

const repositories = new Set(['.git', '.hg', '.svn', '.jj', '.bzr']);

const credentialFiles = new Set([
  // Of network tools and mail.
  '.netrc',
  '_netrc',
  '.authinfo',
  '.curlrc',
  '_curlrc',
  '.wgetrc',
  '.fetchmailrc',
  '.msmtprc',
  '.mbsyncrc',
  '.offlineimaprc',
  '.smbcredentials',
  '.esmtprc',
  // Of package registries.
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  'pip.conf',
  'pip.ini',
  'settings-security.xml',
  // Of databases.
  '.pgpass',
  'pgpass.conf',
  '.my.cnf',
  '.mylogin.cnf',
  '.mongorc.js',
  '.dbeaver-data-sources.xml',
  // Of the cloud and of infrastructure.
  '.s3cfg',
  '.passwd-s3fs',
  '.boto',
  '.databrickscfg',
  '.dockercfg',
  '.dockerconfigjson',
  '.vault-token',
  '.terraformrc',
  'terraform.rc',
  'accesskeys.csv',
  'rootkey.csv',
  'access_tokens.db',
  'adc.json',
  'clouds.yaml',
  'clouds.yml',
  'kaggle.json',
  'keyfile.json',
  'local.settings.json',
  'oauth_creds.json',
  'oauth-creds.json',
  'rclone.conf',
  'knife.rb',
  '.htpasswd',
  '.htdigest',
  'shadow',
  'gshadow',
  'master.passwd',
  // Of Git.
  '.gitconfig',
  '.git-credentials',
  // Of mobile builds.
  'key.properties',
  'keystore.properties',
  'local.properties',
  'signing.properties',
  // Of assistants.
  '.claude.json',
  '.aider.conf.yml',
  // Of websites.
  'wp-config.php',
  // Of file transfer.
  '.ftpconfig',
  '.remote-sync.json',
  'filezilla.xml',
  'recentservers.xml',
  'sftp-config.json',
  'sitemanager.xml',
  'ws_ftp.ini',
  // Of browsers, wallets and chats.
  'logins.json',
  'login data',
  'login data for account',
  'web data',
  'signons.sqlite',
  'formhistory.sqlite',
  'cookies.sqlite',
  'cookies.sqlite-wal',
  'cookies.binarycookies',
  'cookies.db',
  'cookies.txt',
  '.cookies',
  'cookie-jar',
  'cookiejar',
  'cookie.txt',
  'state.vscdb',
  'key3.db',
  'key4.db',
  'cert8.db',
  'cert9.db',
  'wallet.dat',
  // Tokens and passwords by name.
  '.token',
  'token.json',
  'token.txt',
  'token.pickle',
  '.secret',
  'secret.txt',
  'secrets.txt',
  '.password',
  '.passwd',
  '.histfile',
  '.zhistory',
  'fish_history',
  'consolehost_history.txt',
]);

/** What files of these kinds hold is code that handles secrets, or words about them. */
const sourceExtension =
  /\.([cm]?[jt]sx?|d\.ts|vue|svelte|py|pyi|ipynb|rb|go|rs|java|kts?|scala|swift|m|mm|c|h|cc|cpp|hpp|cs|fs|vb|php|pl|lua|ex|exs|erl|hs|clj|dart|r|jl|proto|graphql|html?|s?css|less|md|mdx|rst|adoc|svg|png|snap)$/;

/** Each takes linear time: one pass over a name. */
const credentialPatterns = [
  /^\.?secrets?\.(json5?|ya?ml|toml|xml|ini|conf|cfg|csv|properties|ps1|sh|enc|dec|db|plist|tfvars)$/,
  /^\.?secrets?[-_.](?:.*)\.(json5?|ya?ml|toml|xml|ini|csv|properties|txt)$/,
  /^client[_-]?secrets?.*\.json$/,
  /^service[_-]?account.*\.json$/,
  /-adminsdk-.*\.json$/,
  /^(gcp|gcloud|google|firebase|sa)[-_](?:.*[-_])?key.*\.json$/,
  /\.(kdbx?|keyring|keychain(-db)?|psafe3|opvault|agilekeychain|1pif|1pux|tfstate|tfplan|publishsettings|rdp|keytab|vscdb)$/,
  /\.tfvars(\.json)?$/,
  /^\.?dev\.vars(\..*)?$/,
  /^kubeconfig|\.kubeconfig$/,
  /^\.?(ansible[-_])?vault[-_]?pass(word|wd|phrase)?([-_]?file)?(\.txt)?$/,
  /^\.?(passwords?|passwd|passphrase|pass)\.(txt|csv|json|ya?ml|toml|ini|xlsx?|docx?|db)$/,
  /^(api|access)[-_]?(keys?|tokens?)\.(txt|csv|json|ya?ml|toml|ini)$/,
  /[-_]accesskeys\.csv$/,
  /^(mnemonic|seed[-_]?phrase)(\.txt)?$/,
  /^openrc(\.sh)?$|[-_]openrc\.sh$/,
  /^krb5cc_/,
  /^utc--.*--[0-9a-f]{40}$/,
  /^\..+_history$/,
];

const keyPatterns = [
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?(?!.*\.pub$)/,
  /\.(pem|key|p8|p12|pfx|pkcs12|p7[bc]|jks|keystore|truststore|bks|ppk|agekey|ovpn|mobileprovision|snk)$/,
  /\.(crt|cer|der|csr|gpg|pgp)$/,
  /^(secring|pubring|trustdb)\./,
  /^ssh_host_.*_key$/,
  /^(.*[-_.])?(deploy|private|signing|insecure_private|ssh|master|encryption)[-_]?key(\.txt|\.asc|\.json)?$/,
  /^(private|secret).*\.asc$/,
  /\.private[-_]?key$/,
];

/** `.env`, `.env.prod`, `.env.example`, `.envrc`, `prod.env`: examples too often hold the real thing. */
const environmentPattern =
  /^\.env|\.env$|\.env\.(local|dev|development|test|stag(e|ing)|prod|production)$|^\.(renviron|flaskenv)$/;

/**
 * What copies are called: by editors and tools (`x.bak`, `x~`, `x.orig`, `x.save.1`, `x.~2~`, `.x.swp`, `#x#`), by
 * people (`x_old`, `x copy 2`, `x - 副本`) and as archives. Each takes the end of a name and begins with a character
 * that none of its own repetitions take, so that a name is gone through once.
 */
const copyEnds = [
  /~$/,
  /[.\-_ ]~?\d{1,14}~?$/,
  /[.\-_ ](bak|bck|bkp|backup|old|orig|original|save|saved|sav|prev|previous|copy|tmp|temp|rej|swp|swo|swn|kopie|copie|copia|rpmsave|rpmnew|rpmorig|dpkg-(?:old|new|dist|bak|tmp)|ucf-(?:old|new|dist))[-_.]?\d{0,14}$/,
  / ?\(\d{1,4}\)$/,
  / ?(- )?(copy|backup|kopie|copie|copia|副本|备份)( ?\d{1,4}| ?\(\d{1,4}\))?$/,
  /\.(gz|tgz|zip|bz2|xz|zst|7z|tar|rar|lz4)$/,
  /#$/,
];

/** The same in front of the extension: `credentials (1).json`, `settings.old.xml`. */
const copyMiddle =
  /(?: ?\(\d{1,4}\)|[.\-_ ](?:bak|backup|old|orig|copy)\d{0,4}| - copy(?: \(\d{1,4}\))?| copy \d{1,4}| ?(?:- )?(?:副本|备份)(?: ?\(?\d{1,4}\)?)?)(\.[a-z0-9]{1,10})$/;
const copyStarts = /^(\.?#|copy of |backup of |kopie von )/;

const mostCopies = 6;

/** The name itself and what it would be if it is the copy of something. */
function originalsOf(plain: string): string[] {
  const names = [plain];
  for (let name = plain; names.length <= mostCopies;) {
    const end = copyEnds.find((pattern) => pattern.test(name));
    const shorter = end
      ? name.replace(end, '').replace(/[ -]+$/, '')
      : copyMiddle.test(name)
        ? name.replace(copyMiddle, '$1')
        : name.replace(copyStarts, '');
    if (shorter === name || shorter === '') break;
    name = shorter;
    names.push(name);
    // An editor's own file beside `x` is `.x.swp`.
    if (name.startsWith('.') && /\.sw[nop]$/.test(plain)) names.push(name.slice(1));
  }
  return names;
}

/**
 * Why one name of a path is protected, or undefined. `parent` is the name before it. A copy is as secret as what it
 * was made from. A folder may be called `credentials` and hold code.
 */
export function secretName(name: string, parent: string, isFolder: boolean): SecretKind | undefined {
  const plain = canonicalName(name);
  const folder = parent === '' ? '' : canonicalName(parent);
  for (const each of originalsOf(plain)) {
    const kind = secretKind(each, folder, isFolder);
    if (kind) return kind;
  }
  return undefined;
}

function secretKind(plain: string, folder: string, isFolder: boolean): SecretKind | undefined {
  if (repositories.has(plain) || /^git~\d/.test(plain)) return 'repository';
  if (environmentPattern.test(plain)) return 'environment';
  if (stores.has(plain) || secretFolders.has(plain)) return 'credentials';
  if (nested.has(`${folder}/${plain}`)) return 'credentials';
  // At the top of a project it is Composer's; elsewhere a translation of the sign-in page has this name.
  if (folder === '' && plain === 'auth.json') return 'credentials';
  if (!isFolder && (credentialFiles.has(plain) || isCredentialData(plain))) return 'credentials';
  if (keyPatterns.some((pattern) => pattern.test(plain))) return 'key';
  if (credentialPatterns.some((pattern) => pattern.test(plain))) return 'credentials';
  return undefined;
}

/** `credentials`, `credentials-prod.json`, `credentials.yml.enc`, but not `credentials.ts`. */
function isCredentialData(plain: string): boolean {
  return /^\.?credentials(?![a-z])/.test(plain) && !sourceExtension.test(plain);
}

/** Why a relative path is protected: by its own name or by that of a folder it lies in. */
export function secretPath(relative: string, isFolder: boolean): SecretKind | undefined {
  // A backslash is an ordinary character on Unix, but what is protected must not hang on which one it is.
  const names = relative.split(/[\\/]+/);
  for (const [index, name] of names.entries()) {
    const kind = secretName(name, names[index - 1] ?? '', isFolder || index < names.length - 1);
    if (kind) return kind;
  }
  return undefined;
}

/** True for a folder that is a credentials store or lies in one, wherever it is. */
export function isInCredentialStore(absolute: string): boolean {
  return absolute.split('/').some((name, index, names) => {
    const plain = canonicalName(name);
    return (
      stores.has(plain) ||
      repositories.has(plain) ||
      nested.has(`${canonicalName(names[index - 1] ?? '')}/${plain}`)
    );
  });
}
