import { canonicalName } from './canonicalName.ts';

/** Why a file is never touched, whoever asks. */
export type SecretKind = 'environment' | 'key' | 'credentials' | 'repository';

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
  'keychains',
  'keyrings',
]);

/** Names that only mean this together with the folder they lie in. */
const nested = new Set([
  '.config/gcloud',
  '.config/gh',
  '.config/hub',
  '.config/op',
  '.config/rclone',
  '.docker/config.json',
  '.cargo/credentials',
  '.gem/credentials',
  '.composer/auth.json',
  '.azure/accesstokens.json',
  '.azure/msal_token_cache.json',
  '.azure/msal_token_cache.bin',
]);

const repositories = new Set(['.git', '.hg', '.svn', '.jj', '.bzr']);

const credentialFiles = new Set([
  '.netrc',
  '_netrc',
  '.authinfo',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  'pgpass.conf',
  '.my.cnf',
  '.mylogin.cnf',
  '.s3cfg',
  '.boto',
  '.dockercfg',
  '.dockerconfigjson',
  '.gitconfig',
  '.git-credentials',
  '.htpasswd',
  '.htdigest',
  '.vault-token',
  '.terraformrc',
  'terraform.rc',
  'kubeconfig',
  'rclone.conf',
  'logins.json',
  'login data',
  'key3.db',
  'key4.db',
  'cert8.db',
  'cert9.db',
  'wallet.dat',
]);

const credentialPatterns = [
  /^\.?credentials\.(json|ya?ml|toml|xml|ini|db|properties)$/,
  /^\.?secrets?\.(json|ya?ml|toml|xml|ini|properties|ps1)$/,
  /^client[_-]?secrets?.*\.json$/,
  /^service[_-]?account.*\.json$/,
  /\.(kdbx?|keyring|keychain(-db)?|psafe3|opvault|agilekeychain|1pif|tfstate)$/,
  /\.tfstate\.backup$/,
  /^\..+_history$/,
];

const keyPatterns = [
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?(?!.*\.pub$)/,
  /\.(pem|key|p8|p12|pfx|pkcs12|p7[bc]|jks|keystore|truststore|bks|ppk|agekey|ovpn|mobileprovision)$/,
  /\.(crt|cer|der|csr|gpg|pgp)$/,
  /^(secring|pubring|trustdb)\./,
  /^ssh_host_.*_key$/,
];

/** `.env`, `.env.prod`, `.env.example`, `.envrc`, `prod.env`: examples too often hold the real thing. */
const environmentPattern = /^\.env|\.env$|\.env\.(local|dev|development|test|stag(e|ing)|prod|production)$/;

/**
 * Why one name of a path is protected, or undefined. `parent` is the name before it. Judged without regard to
 * case, and as Windows and macOS would understand the name: without its stream, trailing dots and spaces, and
 * the invisible characters that some file systems skip.
 */
export function secretName(name: string, parent = ''): SecretKind | undefined {
  const plain = canonicalName(name);
  // The common case first: most names have nothing that any rule could hold on to.
  if (repositories.has(plain) || /^git~\d/.test(plain)) return 'repository';
  if (environmentPattern.test(plain)) return 'environment';
  if (stores.has(plain) || credentialFiles.has(plain)) return 'credentials';
  if (parent !== '' && nested.has(`${canonicalName(parent)}/${plain}`)) return 'credentials';
  if (keyPatterns.some((pattern) => pattern.test(plain))) return 'key';
  if (credentialPatterns.some((pattern) => pattern.test(plain))) return 'credentials';
  return undefined;
}

/** Why a relative path is protected: by its own name or by that of a folder it lies in. */
export function secretPath(relative: string): SecretKind | undefined {
  // A backslash is an ordinary character on Unix, but what is protected must not hang on which one it is.
  const names = relative.split(/[\\/]+/);
  for (const [index, name] of names.entries()) {
    const kind = secretName(name, names[index - 1]);
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
