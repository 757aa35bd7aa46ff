import assert from 'node:assert/strict';
import fc from 'fast-check';
import { EventStreamDecoder } from '../../src/net/eventStream.ts';
import { cutAt } from '../unit/relay/replay.ts';
import { hostileText, places } from './inputs.ts';
import type { Target } from './property.ts';

interface Said {
  event: string;
  data: string;
}

function decode(pieces: Iterable<Uint8Array>): { said: Said[]; unread: string } {
  const decoder = new EventStreamDecoder();
  const events = [...pieces].flatMap((piece) => decoder.decode(piece));
  events.push(...decoder.end());
  return { said: events.map(({ event = '', data }) => ({ event, data })), unread: decoder.unread };
}

/** The standard's rules, line by line; a last event counts without its blank line. */
function byTheStandard(text: string): Said[] {
  const said: Said[] = [];
  let data: string[] = [];
  let event = '';
  for (const line of [...text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/), '']) {
    if (line === '') {
      if (data.length > 0) said.push({ event, data: data.join('\n') });
      data = [];
      event = '';
      continue;
    }
    const [, name = line, value = ''] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') event = value;
  }
  return said;
}

const words = [
  'data',
  'data:',
  'data: ',
  'event: ',
  'event:',
  ':',
  'id: 1',
  'retry: 5',
  'x',
  'é',
  '🎉',
  '[DONE]',
];
const plain = fc
  .array(fc.constantFrom(...words, '\n', '\n', '\r\n', '\r', '\n\n', '\ufeff', ' ', '\0', '\t'), {
    maxLength: 60,
  })
  .map((parts) => parts.join(''));

export const target: Target = {
  'reads what the standard says': {
    runs: 4000,
    property: fc.property(plain, places, (text, at) => {
      assert.deepEqual(decode(cutAt(Buffer.from(text), at)).said, byTheStandard(text));
    }),
  },
  'says the same however the bytes are cut': {
    runs: 3000,
    property: fc.property(
      fc.oneof(
        hostileText([...words, '{', '{"', '{"error":{}}', '\n', '\n\n'], 60).map((text) => Buffer.from(text)),
        fc.uint8Array({ maxLength: 200 }),
      ),
      places,
      (bytes, at) => {
        const { said, unread } = decode([bytes]);
        const cut = decode(cutAt(bytes, at));
        assert.deepEqual(cut.said, said);
        assert.equal(cut.unread, unread);
      },
    ),
  },
  'gives any text back': {
    runs: 1500,
    property: fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
      fc.constantFrom('\n', '\r\n'),
      places,
      (texts, end, at) => {
        const stream = texts.map((text) => `: ping${end}data: ${JSON.stringify(text)}${end}${end}`).join('');
        const { said } = decode(cutAt(Buffer.from(stream), at));
        assert.deepEqual(
          said.map(({ data }) => JSON.parse(data) as string),
          texts,
        );
      },
    ),
  },
};
