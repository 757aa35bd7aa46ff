/*
 * Own lists, since no package fits: the rules of secretlint and gitleaks look at contents, and as file names know
 * `.env` alone. What is listed is what tools keep keys and passwords in by default, and what the lists of gitrob and
 * of gitleaks' path rules name.
 */

/** Folders that hold keys or passwords: nothing below them is touched. */
export const stores = new Set([
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
export const secretFolders = new Set(['secrets', '.secret', '.vault']);

/** Names that only mean this together with the folder they lie in. */
export const nested = new Set([
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

export const repositories = new Set(['.git', '.hg', '.svn', '.jj', '.bzr']);

export const credentialFiles = new Set([
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
export const sourceExtension =
  /\.([cm]?[jt]sx?|d\.ts|vue|svelte|py|pyi|ipynb|rb|go|rs|java|kts?|scala|swift|m|mm|c|h|cc|cpp|hpp|cs|fs|vb|php|pl|lua|ex|exs|erl|hs|clj|dart|r|jl|proto|graphql|html?|s?css|less|md|mdx|rst|adoc|svg|png|snap)$/;

/** Each takes linear time: one pass over a name. */
export const credentialPatterns = [
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

export const keyPatterns = [
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
export const environmentPattern =
  /^\.env|\.env$|\.env\.(local|dev|development|test|stag(e|ing)|prod|production)$|^\.(renviron|flaskenv)$/;
