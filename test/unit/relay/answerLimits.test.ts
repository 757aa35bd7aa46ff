import assert from 'node:assert/strict';
import { longestAnswer } from '../../../src/base/answerLimit.ts';
import { SwitchboardError } from '../../../src/base/errors/errors.ts';
import { AppAnswer } from '../../../src/apps/client/appAnswer.ts';
import { Answer } from '../../../src/relay/answer.ts';
import type { Protocol } from '../../../src/relay/messages.ts';
import { protocols } from '../../../src/relay/protocols/allProtocols.ts';

const address = 'https://relay.example/v1';

function flood(
  toEvent: (index: number) => object,
  protocol: Protocol = 'chat-completions',
): { text: number; error: unknown; pieces: number } {
  const answer = new Answer({
    address,
    reader: protocols[protocol].createReader(),
    toError: () => new SwitchboardError('request', ''),
  });
  let text = 0;
  let pieces = 0;
  try {
    for (; pieces < 1_000_000; pieces++) {
      answer.addEvent(JSON.stringify(toEvent(pieces)));
      for (const event of answer.take()) if ('text' in event) text += event.text.length;
    }
    return { text, pieces, error: undefined };
  } catch (error) {
    return { text, pieces, error };
  }
}

describe('relay: one answer has a limit', () => {
  const piece = 'x'.repeat(100_000);
  const call = (index: number, args: string) => ({
    tool_calls: [{ index, id: `c${index}`, function: { name: 'read_file', arguments: args } }],
  });
  for (const [what, delta] of Object.entries({
    text: () => ({ content: piece }),
    reasoning: () => ({ reasoning_content: piece }),
    arguments: () => call(0, piece),
    'calls without end': (index: number) => call(index, ''),
  } satisfies Record<string, (index: number) => object>)) {
    it(`of ${what}, which is said`, () => {
      const { error, text, pieces } = flood((index) => ({ choices: [{ index: 0, delta: delta(index) }] }));
      assert.ok(error instanceof SwitchboardError);
      assert.equal(error.code, 'truncated');
      assert.match(error.message, /longer than 7\.6 MB/);
      assert.ok(text <= longestAnswer && pieces < 50_000, String(pieces));
      if (what !== 'calls without end') assert.ok(pieces * piece.length <= longestAnswer, String(pieces));
    });
  }

  const block = (delta: object) => ({ type: 'content_block_delta', index: 0, delta });
  for (const [what, event] of Object.entries({
    text: () => block({ type: 'text_delta', text: piece }),
    reasoning: () => block({ type: 'thinking_delta', thinking: piece }),
    'reasoning of white space': () => block({ type: 'thinking_delta', thinking: ' '.repeat(100_000) }),
    signatures: () => block({ type: 'signature_delta', signature: piece }),
    'reasoning that is encrypted': () => ({
      type: 'content_block_start',
      content_block: { type: 'redacted_thinking', data: piece },
    }),
    arguments: () => block({ type: 'input_json_delta', partial_json: piece }),
    'calls without end': (index: number) => ({
      ...{ type: 'content_block_start', index },
      content_block: { type: 'tool_use', id: `c${index}`, name: 'read_file', input: {} },
    }),
  } satisfies Record<string, (index: number) => object>)) {
    it(`of ${what} by the messages protocol, too`, () => {
      const { error, pieces } = flood(event, 'messages');
      assert.ok(error instanceof SwitchboardError);
      assert.equal(error.code, 'truncated');
      assert.ok(pieces < 50_000, String(pieces));
    });
  }

  it('of an app too', () => {
    const answer = new AppAnswer({
      baseUrl: address,
      address,
      key: 'app-x',
      toError: () => new SwitchboardError('request', ''),
    });
    assert.throws(() => {
      for (let index = 0; index < 1000; index++) {
        answer.addEvent({
          data: JSON.stringify({ event: 'message', answer: piece, message_id: 'm' }),
        });
        answer.take();
      }
    }, /longer than 7\.6 MB/);
  });
});
