import { crc32, deflateSync } from 'node:zlib';
import type { ModelRequest, Picture, ToolDefinition } from '../messages.ts';
import { answerTokens, callTokens, furtherAnswerTokens } from './checkLimits.ts';

export type Probe = Omit<ModelRequest, 'model'>;

const base = { stream: true, maxTokens: answerTokens } as const;

export const readyProbe: Probe = {
  ...base,
  messages: [{ role: 'user', content: 'Reply with the word "ready" and nothing else.' }],
};

/** Models with reasoning refuse lower limits by these protocols. */
export const furtherProbe: Probe = { ...readyProbe, maxTokens: furtherAnswerTokens };

/** Vendors cache from 1,024 tokens on. Both requests share the text. */
const cachedLines = 88;
const longText = Array.from(
  { length: cachedLines },
  (_, at) => `Shelf ${at + 101}: spare parts. Keep dry, count on Mondays.`,
).join('\n');
const shortText = 'You answer questions about a store of spare parts.';

const numberTool: ToolDefinition = {
  name: 'get_number',
  description: 'Returns the number of a name.',
  parameters: {
    type: 'object',
    properties: { name: { type: 'string', description: 'The name.' } },
    required: ['name'],
  },
};

export function callsProbe(isLong: boolean): Probe {
  return {
    ...base,
    maxTokens: callTokens,
    messages: [
      { role: 'system', content: isLong ? `${shortText}\n${longText}` : shortText },
      {
        role: 'user',
        content: [
          'Make both of these calls at once, in one answer:',
          'call get_number with {"name":"alpha"}',
          'call get_number with {"name":"beta"}',
        ].join('\n'),
      },
    ],
    tools: [numberTool],
  };
}

export const pictureTokens = 300;
export const pictureColors = { left: 'orange', right: 'green' } as const;

export function pictureProbe(withEffort = false): Probe {
  const content =
    'Name the color of the left half of this picture, and that of the right half, in two words.';
  return {
    ...base,
    messages: [{ role: 'user', content, images: [twoColors()] }],
    ...(withEffort && { reasoningEffort: effort }),
  };
}

const effort = 'low';

export const effortProbe: Probe = {
  ...base,
  messages: [{ role: 'user', content: 'Which is larger, 17 times 23 or 400? Answer with one number.' }],
  reasoningEffort: effort,
};

const side = 64;
const orange = [255, 140, 0];
const green = [0, 140, 60];

/** A PNG of 64 by 64 pixels; some vendors refuse smaller ones. */
function twoColors(): Picture {
  const row = [0, ...Array.from({ length: side }, (_, x) => (x < side / 2 ? orange : green)).flat()];
  const pixels = Buffer.concat(Array.from({ length: side }, () => Buffer.from(row)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const png = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { mimeType: 'image/png', data: png.toString('base64') };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
