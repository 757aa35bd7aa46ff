import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  countRedacted,
  redactedMark,
  Redactor,
  redactSecrets,
} from '../../src/base/secrets/redactSecrets.ts';
import { SecretScan } from '../../src/base/secrets/secretScan.ts';
import { maskSecrets } from '../../src/base/secrets/maskSecrets.ts';
import { SwitchboardError } from '../../src/base/errors/errors.ts';
import { takeSteps } from '../../src/diagnose/diagnose.ts';
import { renderReport } from '../../src/diagnose/report.ts';
import type { Step } from '../../src/diagnose/step.ts';
import { chooseRoute, secretsOfRoute } from '../../src/net/routes.ts';
import { sanitizeServerMessage } from '../../src/base/text/sanitizeServerMessage.ts';
import { toPlatformError } from '../../src/platform/platformErrors.ts';
import { toRelayError } from '../../src/relay/errors/relayErrors.ts';
import { cutText, fieldsOf, hostileText, places, spoilt, textsIn } from './inputs.ts';
import type { Target } from './property.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lower = upper.toLowerCase();
const digits = '0123456789';
const letters = (alphabet: string, minLength: number, maxLength = minLength) =>
  fc.string({ unit: fc.constantFrom(...alphabet.split('')), minLength, maxLength });
const mixed = (minLength: number, maxLength = minLength) =>
  letters(upper + lower + digits, minLength, maxLength);
const hex = (length: number) => letters('0123456789abcdef', length);
/** Letters and digits, like a generated key. */
const both = (text: string) => /\d/.test(text) && /[A-Za-z]/.test(text);

/** Tokens as their vendors document them, none written out, so that no scanner takes this file for one. */
const tokens: Record<string, fc.Arbitrary<string>> = {
  AWS: letters(`${upper}234567`, 16)
    .map((text) => `AKIA${text}`)
    .filter((text) => !text.endsWith('EXAMPLE')),
  'GitHub, classic': mixed(36).map((text) => `ghp_${text}`),
  'GitHub, fine-grained': letters(`${upper}${lower}${digits}_`, 82).map((text) => `github_pat_${text}`),
  GitLab: mixed(20).map((text) => `glpat-${text}`),
  Slack: fc.tuple(letters(digits, 12), mixed(24)).map(([team, text]) => `xoxb-${team}-${text}`),
  Google: mixed(35).map((text) => `AIza${text}`),
  Anthropic: mixed(95).map((text) => `sk-ant-api03-${text}`),
  OpenAI: mixed(48)
    .filter(both)
    .map((text) => `sk-${text}`),
  'OpenAI, project': letters(`${upper}${lower}${digits}_-`, 120)
    .filter(both)
    .map((text) => `sk-proj-${text}`),
  platform: mixed(24)
    .filter(both)
    .map((text) => `dataset-${text}`),
  app: mixed(24)
    .filter(both)
    .map((text) => `app-${text}`),
  Stripe: mixed(24).map((text) => `sk_live_${text}`),
  npm: mixed(36).map((text) => `npm_${text}`),
  'Hugging Face': letters(upper + lower, 34).map((text) => `hf_${text}`),
  DigitalOcean: hex(64).map((text) => `dop_v1_${text}`),
  SendGrid: fc.tuple(mixed(22), mixed(43)).map(([id, text]) => `SG.${id}.${text}`),
  JWT: fc.tuple(mixed(20), mixed(60), mixed(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
};
const token = fc.oneof(...Object.values(tokens));

const privateWord = ['PRIV', 'ATE'].join('');
const privateKey = fc
  .tuple(
    fc.constantFrom('', 'RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED '),
    fc.array(mixed(64), { minLength: 3, maxLength: 12 }),
    mixed(20, 40),
  )
  .map(([kind, lines, last]) =>
    [
      `-----BEGIN ${kind}${privateWord} KEY-----`,
      ...lines,
      last,
      `-----END ${kind}${privateWord} KEY-----`,
    ].join('\n'),
  );

const delimiter = fc.constantFrom(' ', '\n', '\r\n', '"', "'", '`', '=', ': ', ', ', '(', '>', '\t', '');
const words = [
  'key',
  'sk-',
  'eyJ',
  'ghp_',
  'xoxb-',
  '-----BEGIN ',
  'PRIVATE KEY-----',
  '-----END',
  '://',
  ':AA',
  'hf_',
  ' ',
  '\n',
  '-',
  '_',
];
const around = hostileText(words, 20);

function inPieces(text: string, at: readonly number[]): string {
  const redactor = new Redactor();
  return (
    cutText(text, at)
      .map((piece) => redactor.push(piece))
      .join('') + redactor.end()
  );
}

function scanned(text: string, at: readonly number[]): boolean {
  const scan = new SecretScan();
  for (const piece of cutText(text, at)) scan.push(piece);
  return scan.end() !== undefined;
}

/** Number of consecutive characters of a secret that count as a leak. */
const told = 8;

function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** Possible readings of a text: unchanged, and with its escapes decoded. */
function readings(text: string): string[] {
  const percent = text.replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString('latin1'),
  );
  const runs = text.match(/[\w+/=-]{12,}/g) ?? [];
  const decoded = runs.flatMap((run) => [
    ...[0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1')),
    ...(/[0-9a-f]{12,}/gi.exec(run) ?? []).flatMap((codes) =>
      [0, 1].map((from) => Buffer.from(codes.slice(from), 'hex').toString('latin1')),
    ),
  ]);
  return [text, percent, ...decoded].map(fold);
}

function assertNotTold(texts: readonly string[], secret: string): void {
  const wanted = fold(secret);
  const pieces = Array.from({ length: wanted.length - told + 1 }, (_, at) => wanted.slice(at, at + told));
  for (const text of texts) {
    const reading = readings(text).find((each) => pieces.some((piece) => each.includes(piece)));
    assert.equal(reading, undefined, `tells ${secret}: ${text}`);
  }
}

const key = mixed(24, 60).map((text) => `sk-${text}`);
const short = hostileText(['Bearer ', 'user:', 'x', '='], 6);

/** A text with the key, in one of the ways in which servers, proxies and gateways repeat keys. */
function echoOf(secret: string): fc.Arbitrary<string> {
  const part = fc.tuple(fc.nat(), fc.nat(), fc.boolean()).map(([from, to, isWhole]) => {
    if (isWhole) return secret;
    const start = from % (secret.length - 12);
    return secret.slice(start, start + 12 + (to % (secret.length - start - 11)));
  });
  return fc
    .tuple(part, short, short, fc.constantFrom(...Object.keys(writings)))
    .map(([text, before, after, how]) => writings[how]!(text, before, after));
}

const between = (mark: string) => (text: string, before: string, after: string) =>
  before + text.split('').join(mark) + after;
const writings: Record<string, (text: string, before: string, after: string) => string> = {
  plain: between(''),
  upper: (text, before, after) => before + text.toUpperCase() + after,
  'with spaces of no width': between('\u200b'),
  'with soft hyphens': between('\u00ad'),
  'with dashes': between('-'),
  'with line breaks': between('\n'),
  'full-width': (text, before, after) =>
    before + text.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)) + after,
  base64: (text, before, after) => Buffer.from(before + text + after).toString('base64'),
  base64url: (text, before, after) => Buffer.from(before + text + after).toString('base64url'),
  hexadecimal: (text, before, after) => Buffer.from(before + text + after).toString('hex'),
  'percent codes': (text, before, after) =>
    before + text.replace(/./g, (each) => `%${each.charCodeAt(0).toString(16)}`) + after,
};

const errorBody: fc.JsonValue = {
  error: {
    message: 'Incorrect key (request id: 1)',
    type: 'new_api_error',
    code: 'x',
    param: 'model',
    metadata: { raw: 'r' },
  },
  message: 'm',
  detail: [{ msg: 'd', loc: ['body', 'key'] }],
  code: 'invalid_param',
  params: 'p',
};

const refusals = key.chain((secret) =>
  fc.record({
    secret: fc.constant(secret),
    status: fc.constantFrom(200, 302, 400, 401, 403, 404, 413, 422, 429, 500, 503),
    body: fc.oneof(
      fc
        .tuple(spoilt(fc.constant(errorBody)), fc.array(fc.tuple(fc.nat(), echoOf(secret)), { maxLength: 4 }))
        .map(([body, echoes]) => JSON.stringify(withEchoes(body, echoes))),
      echoOf(secret).map((echo) => `<html><title>${echo}</title>${echo}</html>`),
      echoOf(secret),
    ),
    headers: fc.dictionary(
      fc.constantFrom('x-oneapi-request-id', 'x-request-id', 'x-litellm-call-id', 'retry-after', 'location'),
      echoOf(secret),
      { noNullPrototype: true },
    ),
    contentType: fc.constantFrom('application/json', 'text/html', 'text/plain', ''),
  }),
);

function withEchoes(body: fc.JsonValue, echoes: readonly [at: number, echo: string][]): fc.JsonValue {
  let count = 0;
  const texts = textsIn(body).length;
  const visit = (value: fc.JsonValue): fc.JsonValue => {
    if (typeof value === 'string') {
      const mine = echoes.filter(([at]) => at % texts === count);
      count++;
      return mine.reduce((text, [at, echo]) => (at % 2 === 0 ? `${text} ${echo}` : echo), value);
    }
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      fieldsOf(value).map(([name, each]) => {
        count++;
        return [name, visit(each)];
      }),
    );
  };
  return visit(body);
}

const address = 'https://relay.example.com/v1/chat/completions';

export const target: Target = {
  'redacts every token, whatever stands around it and however it comes': {
    runs: 2500,
    property: fc.property(
      token,
      delimiter,
      delimiter,
      around,
      around,
      places,
      (secret, left, right, before, after, at) => {
        // A token joined to other characters may be another word.
        fc.pre(left !== '' || !/[\w\-.:+]$/.test(before));
        fc.pre(right !== '' || !/^[\w\-.=]/.test(after));
        const text = before + left + secret + right + after;
        const redacted = inPieces(text, at);
        assert.ok(!redacted.includes(secret.slice(-16)), redacted);
        assert.ok(scanned(text, at));
        assert.equal(redacted.split('\n').length, text.split('\n').length);
      },
    ),
  },
  'redacts private keys, quoted, indented or in a diff': {
    runs: 600,
    property: fc.property(
      privateKey,
      fc.constantFrom('', '    ', '+', '-', '> ', '# ', ' * ', '"'),
      fc.constantFrom('\n', '\r\n', '\\n'),
      around,
      places,
      (secret, lead, end, before, at) => {
        const lines = secret.split('\n');
        const text = `${before}\n${lines.map((line) => lead + line).join(end)}\n`;
        const redacted = inPieces(text, at);
        for (const line of lines.slice(1, -1)) assert.ok(!redacted.includes(line), redacted);
        assert.ok(countRedacted(redacted) > 0);
      },
    ),
  },
  'gives the same however a text is cut, and agrees with the scan': {
    runs: 2500,
    property: fc.property(
      fc.array(
        fc.oneof(
          { weight: 3, arbitrary: around },
          { weight: 1, arbitrary: token },
          { weight: 1, arbitrary: privateKey },
        ),
        {
          maxLength: 5,
        },
      ),
      fc.nat(5000),
      places,
      (parts, space, at) => {
        const text = parts.join(' '.repeat(space % 2 === 0 ? 1 : space));
        const redacted = redactSecrets(text);
        assert.equal(inPieces(text, at), redacted);
        fc.pre(!text.includes(redactedMark));
        assert.equal(scanned(text, at), redacted !== text);
      },
    ),
  },
  'shows no key and no proxy password in a report of a connection': {
    runs: 60,
    property: fc.asyncProperty(
      key.chain((secret) => fc.tuple(fc.constant(secret), echoOf(secret))),
      key.chain((password) => fc.tuple(fc.constant(password), echoOf(password))),
      fc.shuffledSubarray(['text', 'advice', 'message', 'why', 'systemError'] as const, { minLength: 5 }),
      async ([secret, echo], [password, other], order) => {
        const proxyUrl = `http://me:${encodeURIComponent(password)}@proxy.example:8080`;
        const settings = { proxyUrl, noProxy: [], strictTls: true };
        const route = chooseRoute(new URL('https://relay.example'), settings, {});
        const said = Object.fromEntries(order.map((name, at) => [name, at % 2 === 0 ? echo : other]));
        const { text = '', advice = '', message = '', why = '', systemError = '' } = said;
        const steps: Step[] = [
          { name: 'models', run: async () => ({ verdict: 'warning', text, advice }) },
          {
            name: 'key',
            isOptional: true,
            run: async () => {
              throw new SwitchboardError('key', message, { why });
            },
          },
          {
            name: 'tls',
            run: async () => {
              throw new SwitchboardError('tls', 'Not trusted.', { systemError });
            },
          },
        ];
        const secrets = [secret, ...secretsOfRoute(route)];
        const { signal } = new AbortController();
        const results = await takeSteps(steps, secrets, { signal, onStep: () => undefined });
        const report = renderReport([{ kind: 'relay', baseUrl: proxyUrl, results }], []);
        for (const each of [secret, password]) {
          assert.equal(maskSecrets(report, [each]), report);
          assert.ok(!report.includes(each));
        }
      },
    ),
  },
  'masks a key in every text, however it is written': {
    runs: 2000,
    property: fc.property(
      key.chain((secret) => fc.tuple(fc.constant(secret), echoOf(secret))),
      around,
      around,
      ([secret, echo], before, after) => {
        const text = `${before} ${echo} ${after}`;
        assertNotTold([maskSecrets(text, [secret]), sanitizeServerMessage(text, [secret])], secret);
      },
    ),
  },
  'tells no key in what becomes of a refusal': {
    runs: 1500,
    property: fc.property(refusals, fc.boolean(), ({ secret, ...refusal }, isStream) => {
      const common = { ...refusal, address, key: secret, nowMs: 0 };
      const relay = toRelayError({ ...common, stage: isStream ? 'stream' : 'answer' });
      const header = toRelayError({
        ...common,
        stage: 'answer',
        key: 'sk-of-another-kind',
        headerSecrets: [secret],
      });
      const platform = toPlatformError({ ...common, service: isStream ? 'app' : 'knowledge' });
      for (const error of [relay, header, platform]) assertNotTold(textsIn(error), secret);
    }),
  },
};
