import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../../src/base/errors/errors.ts';
import { messageFor, type MessageDetails } from '../../../../src/relay/errors/relayMessages.ts';

describe('the messages of failures of a relay', () => {
  const said = (code: ErrorCode, about: Partial<MessageDetails> = {}) =>
    messageFor(code, { address: 'https://relay.example', ...about });

  const fineKey = "Your key and balance are fine. Choose another model, or contact the relay's operator.";
  const cases: [ErrorCode, string, Partial<MessageDetails>?][] = [
    ['wrong-address', "No model service answers at https://relay.example. Check the relay's base address."],
    [
      'key',
      'The relay rejected the key. It may be mistyped, expired, disabled or used up. Enter another key.',
    ],
    [
      'key',
      "The key has expired. Create a new one on the relay's site and connect with it.",
      { cause: 'expired' },
    ],
    [
      'key',
      "The key is disabled. Enable it on the relay's site, or connect with another key.",
      { cause: 'disabled' },
    ],
    ['vendor-key', `The upstream provider rejected the relay's credentials. ${fineKey}`],
    [
      'balance',
      'Your balance doesn\'t cover this request. Top up, choose a cheaper model, or lower the setting "switchboard.chat.maxTokens", which counts in advance.',
    ],
    [
      'balance',
      "The key's quota is used up. Raise it on the relay's site, or connect with another key.",
      { cause: 'usedUp' },
    ],
    ['vendor-balance', `The relay has no credit left at the upstream provider. ${fineKey}`],
    [
      'vendor-not-permitted',
      `The upstream provider doesn't permit this request with the relay's account. ${fineKey}`,
    ],
    [
      'vendor-not-permitted',
      `The upstream provider doesn't serve the relay's region. ${fineKey}`,
      { cause: 'region' },
    ],
    ['model', "Model not available for this key. Choose another one from the relay's list."],
    ['images', "This model doesn't support images. Choose another model, or remove the images."],
    ['not-permitted', "The relay doesn't permit this request with your key. See the server's message."],
    [
      'network-not-allowed',
      "The relay doesn't accept this key from your network. Add your IP address to the key's list on the relay's site, or use a key without such a list.",
    ],
    [
      'context-too-long',
      "The conversation exceeds the model's context window. Start a new chat, or remove attachments.",
    ],
    [
      'too-large',
      'The request is larger than the server accepts. Compact the conversation, remove attachments, or start a new chat.',
    ],
    [
      'too-large',
      "The request exceeds the token limit per minute, so waiting doesn't help. Compact the conversation, shorten your message, or choose another model.",
      { cause: 'minute' },
    ],
    ['rate-limit', 'Rate limit reached. Wait a moment, then try again.'],
    ['rate-limit', 'Rate limit reached. Wait a moment, then try again.', { waitMs: 0 }],
    ['rate-limit', 'Rate limit reached. Try again in 20 s.', { waitMs: 20_000 }],
    ['content-filter', 'A content filter blocked the request. Edit your message, or choose another model.'],
    ['content-filter', 'The guardrail "PII" blocked the request. Edit your message.', { rule: 'PII' }],
    [
      'content-filter',
      "The relay's word filter blocked the request. Edit your message.",
      { cause: 'wordFilter' },
    ],
    [
      'content-filter',
      'The answer ended before it began, probably because a content filter blocked the request. Edit your message, or choose another model.',
      { isEmpty: true },
    ],
    ['request', "The server rejected the request. See the server's message."],
    ['truncated', 'The answer was cut off before the model finished it. The partial answer was kept.'],
    ['truncated', 'The answer was cut off before the model finished it. Try again.', { isEmpty: true }],
    ['empty-reply', 'The model finished without an answer. Try again, or choose another model.'],
    ['transient', 'The relay or the upstream provider failed. Try again in a moment.'],
    [
      'transient',
      'The relay or the upstream provider failed while answering. Try again in a moment.',
      { stage: 'stream' },
    ],
    [
      'transient',
      'The relay or the upstream provider is unavailable. Try again in 20 s.',
      { stage: 'stream', waitMs: 20_000 },
    ],
  ];

  it('say what happened and the one thing to do', () => {
    for (const [code, message, about] of cases) assert.equal(said(code, about), message);
  });
});
