import * as l10n from '@vscode/l10n';

export interface SecretShape {
  words(): string;
  /** Every match contains one of these; the pattern isn't tried otherwise. */
  marks: readonly string[];
  /** Global and linear; matches at most `longestSecret` characters of one line. */
  pattern: RegExp;
  isReal?(match: RegExpMatchArray): boolean;
}

export const longestSecret = 4096;

/** Mark of the shape whose secret continues on the next lines. */
export const privateKeyMark = 'PRIVATE KEY';

const isMixed = ([text]: RegExpMatchArray) => /\d/.test(text) && /[A-Za-z]/.test(text);

const vendorTokens: readonly (readonly [vendor: string, mark: string, rest: string])[] = [
  ['1Password', 'ops_eyJ', '[\\w-]{200,1500}'],
  ['age', 'AGE-SECRET-KEY-1', '[A-Z0-9]{50,70}'],
  ['Atlassian', 'ATATT3', '[\\w=-]{100,255}'],
  ['Databricks', 'dapi', '[0-9a-f]{32}(?:-\\d{1,2})?'],
  ['DigitalOcean', 'dop_v1_', '[0-9a-f]{64}'],
  ['Docker', 'dckr_pat_', '[\\w-]{20,60}'],
  ['Doppler', 'dp.pt.', '[A-Za-z0-9]{40,60}'],
  ['Grafana', 'glsa_', '[A-Za-z0-9]{32}_[0-9a-fA-F]{8}'],
  ['Groq', 'gsk_', '[A-Za-z0-9]{40,64}'],
  ['HashiCorp Vault', 'hvs.', '[\\w-]{24,120}'],
  ['Hugging Face', 'hf_', '[A-Za-z]{30,40}'],
  ['Linear', 'lin_api_', '[A-Za-z0-9]{40}'],
  ['New Relic', 'NRAK-', '[A-Z0-9]{27}'],
  ['Notion', 'ntn_', '[A-Za-z0-9]{40,60}'],
  ['Perplexity', 'pplx-', '[A-Za-z0-9]{40,64}'],
  ['Postman', 'PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  ['PyPI', 'pypi-AgEI', '[\\w-]{50,500}'],
  ['Replicate', 'r8_', '[A-Za-z0-9]{37,40}'],
  ['RubyGems', 'rubygems_', '[0-9a-f]{48}'],
  ['SendGrid', 'SG.', '[\\w-]{22}\\.[\\w-]{43}'],
  ['Sentry', 'sntrys_', '[\\w=/+-]{80,500}'],
  ['Shopify', 'shpat_', '[0-9a-fA-F]{32}'],
  ['Square', 'sq0atp-', '[\\w-]{22}'],
  ['Supabase', 'sbp_', '[0-9a-f]{40}'],
  ['Tailscale', 'tskey-', '[a-z]{3,10}-[A-Za-z0-9]{8,30}-[A-Za-z0-9]{16,40}'],
  ['xAI', 'xai-', '[A-Za-z0-9]{60,100}'],
];

export const secretShapes: readonly SecretShape[] = [
  {
    words: () => l10n.t('a private key'),
    marks: [privateKeyMark],
    pattern: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g,
  },
  {
    words: () => l10n.t('an AWS access key'),
    marks: ['AKIA', 'ASIA'],
    pattern: /(?<![A-Za-z0-9])A[KS]IA[A-Z2-7]{16}(?![A-Za-z0-9])/g,
    isReal: ([text]) => !text.endsWith('EXAMPLE'),
  },
  {
    words: () => l10n.t('a GitHub token'),
    marks: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /(?<!\w)(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{40,255})/g,
  },
  {
    words: () => l10n.t('a GitLab token'),
    marks: ['glpat-'],
    pattern: /(?<![\w-])glpat-[\w-]{20,255}/g,
  },
  {
    words: () => l10n.t('a Slack token'),
    marks: ['xox', 'hooks.slack.com'],
    pattern:
      /(?<![\w-])xox[abeoprs]-(?:\d{8,20}-)[\w-]{10,255}|hooks\.slack\.com\/services\/T\w{5,20}\/B\w{5,20}\/\w{16,64}/g,
  },
  {
    words: () => l10n.t('a Google API key'),
    marks: ['AIza'],
    pattern: /(?<![\w-])AIza[\w-]{35}(?![\w-])/g,
  },
  {
    words: () => l10n.t('an Anthropic key'),
    marks: ['sk-ant-'],
    pattern: /(?<![\w-])sk-ant-[\w-]{24,255}/g,
  },
  {
    words: () => l10n.t('a model service key'),
    marks: ['sk-'],
    pattern: /(?<![\w-])sk-(?:(?:proj|svcacct|admin|or-v1)-[\w-]{20,255}|[A-Za-z0-9]{20,255})/g,
    isReal: isMixed,
  },
  {
    words: () => l10n.t('a platform key'),
    marks: ['dataset-', 'app-'],
    pattern: /(?<![\w-])(?:dataset|app)-[A-Za-z0-9]{24}(?![\w-])/g,
    isReal: isMixed,
  },
  {
    words: () => l10n.t('a Stripe key'),
    marks: ['sk_live_', 'rk_live_'],
    pattern: /(?<!\w)[rs]k_live_[A-Za-z0-9]{16,255}/g,
  },
  {
    words: () => l10n.t('an npm token'),
    marks: ['npm_'],
    pattern: /(?<!\w)npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g,
  },
  {
    words: () => l10n.t('an AWS secret key'),
    marks: ['aws_secret', 'AWS_SECRET', 'SecretAccessKey', 'secretAccessKey'],
    pattern:
      /(?:aws_secret(?:_access)?_key|AWS_SECRET(?:_ACCESS)?_KEY|[sS]ecretAccessKey)["']?[ \t]{0,20}[:=][ \t]{0,20}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+])/g,
    isReal: ([text]) => !text.endsWith('EXAMPLEKEY'),
  },
  {
    words: () => l10n.t('an Azure key'),
    marks: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,100}={0,2}/g,
  },
  {
    words: () => l10n.t('a Telegram token'),
    marks: [':AA'],
    pattern: /(?<![\w:])\d{8,10}:AA[\w-]{33}(?![\w-])/g,
  },
  {
    words: () => l10n.t('a Discord webhook'),
    marks: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[\w-]{60,72}/g,
  },
  ...vendorTokens.map(([vendor, mark, rest]): SecretShape => ({
    words: () => l10n.t('a token for {0}', vendor),
    marks: [mark],
    pattern: new RegExp(`(?<![\\w-])${mark.replaceAll('.', '\\.')}${rest}(?![\\w-])`, 'g'),
  })),
  {
    words: () => l10n.t('a signed token (JWT)'),
    marks: ['eyJ'],
    pattern: /(?<![\w-])eyJ[\w-]{8,500}\.eyJ[\w-]{8,2500}\.[\w-]{20,1000}/g,
  },
  {
    words: () => l10n.t('an address with a password'),
    marks: ['://'],
    pattern: /(?<![\w+.-])[A-Za-z][\w+.-]{1,19}:\/\/[^\s:@/'"`<>]{1,100}:([^\s:@/'"`]{3,200})@[\w[]/g,
    isReal: ([, password = '']) => !isPlaceholder(password),
  },
];

function isPlaceholder(password: string): boolean {
  return (
    /[<>{}$%*]/.test(password) ||
    /^(x+|\.+|pass(word|wd)?|pwd|secret|user(name)?|your.{0,30}|my.{0,30}|change.?me|example|test|root|postgres|mongo|redis|rabbitmq|admin|guest|token|key)$/i.test(
      password,
    )
  );
}
