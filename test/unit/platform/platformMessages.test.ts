import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../src/base/errors/errors.ts';
import { messageFor, type MessageDetails } from '../../../src/platform/platformMessages.ts';

describe('the messages of failures of the platform', () => {
  const said = (code: ErrorCode, about: Partial<MessageDetails> = {}) =>
    messageFor(code, { address: 'https://platform.example', service: 'app', key: '', ...about });

  it('say what happened and the one thing to do', () => {
    const cases: [ErrorCode, RegExp, Partial<MessageDetails>?][] = [
      ['wrong-address', /^No application platform answers at https:\/\/platform\.example\. Check/],
      [
        'key',
        /^The platform rejected the app's key\..* Copy one from the app's API access/,
        { key: 'app-1' },
      ],
      ['key', /^This is a knowledge base key\. Each app has its own/, { key: 'dataset-1' }],
      ['key', /^The platform rejected the knowledge base key\./, { service: 'knowledge', key: 'dataset-1' }],
      ['key', /^This is an app key\. Knowledge bases have their own/, { service: 'knowledge', key: 'app-1' }],
      ['key', /^Your sign-in .* has expired or was revoked\. Sign in again\.$/, { service: 'account' }],
      ['balance', /^The quota of the platform's model provider is used up\. Top it up/],
      ['not-permitted', /^The platform doesn't allow this with your key\./],
      ['too-large', /^The file is larger than the platform accepts\. Upload a smaller one/],
      ['rate-limit', /^Rate limit of the platform reached\. Wait a moment/],
      ['rate-limit', /^Rate limit of the platform reached\. Try again in 20 s\.$/, { retryAfterMs: 20_000 }],
      ['request', /^The platform rejected the request\. See the server's message\.$/],
      ['transient', /^The platform is temporarily unavailable\. Try again in a moment\.$/],
    ];
    for (const [code, message, about] of cases) assert.match(said(code, about), message);
  });
});
