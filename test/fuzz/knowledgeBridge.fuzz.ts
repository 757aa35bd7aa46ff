import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Bridge } from '../../src/knowledgeServer/bridge/bridge.ts';
import { LineSplitter } from '../../src/knowledgeServer/bridge/lineSplitter.ts';
import { readMessage } from '../../src/knowledgeServer/bridge/bridgeMessages.ts';
import { readRecord } from '../../src/knowledgeServer/bridge/windowRecords.ts';
import { readHello } from '../../src/knowledgeServer/windowListener.ts';
import type { Target } from './property.ts';

const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.json());

const ids = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, {}, true));
const methods = fc.constantFrom(
  ...['initialize', 'tools/list', 'tools/call', 'ping', 'notifications/x', '__proto__'],
);
const messages = fc.oneof(
  texts,
  fc.record({ id: ids, method: methods, params: fc.jsonValue() }).map((message) => JSON.stringify(message)),
);

export const target: Target = {
  'lines are cut alike however the bytes are cut': {
    runs: 300,
    property: fc.property(fc.array(texts), fc.array(fc.nat(20)), (all, cuts) => {
      const bytes = Buffer.from(`${all.join('\n')}\n`);
      const splitter = new LineSplitter(40);
      const lines: (string | undefined)[] = [];
      for (let at = 0, piece = 0; at < bytes.length; piece++) {
        const length = 1 + (cuts[piece % Math.max(1, cuts.length)] ?? 7);
        lines.push(...splitter.push(bytes.subarray(at, at + length)));
        at += length;
      }
      const expected = bytes.toString('utf8').split('\n').slice(0, -1);
      assert.deepEqual(
        lines,
        expected.map((line) => (line.length > 40 ? undefined : line)),
      );
    }),
  },
  'messages, files of windows and first lines are read whatever they are': {
    runs: 500,
    property: fc.property(texts, (text) => {
      readMessage(text);
      const record = readRecord(text);
      if (record) assert.ok(record.socket && record.token);
      readHello(text);
    }),
  },
  'each request is answered once, and with JSON, without a window': {
    runs: 200,
    property: fc.asyncProperty(fc.array(messages), async (all) => {
      const sent: string[] = [];
      const bridge = new Bridge({
        windows: '/nowhere/at/all',
        configuration: '',
        folder: '/',
        send: (line) => void sent.push(line),
      });
      const lines = all
        .flatMap((text) => text.toWellFormed().split('\n'))
        .filter((line) => line.trim() !== '');
      bridge.push(Buffer.from(lines.map((line) => `${line}\n`).join('')));
      await bridge.idle();
      const answers = sent.map(
        (line) => JSON.parse(line) as { id: unknown; result?: unknown; error?: unknown },
      );
      const expected = lines.flatMap((line) => {
        const message = readMessage(line);
        if (!message) return [null];
        return message.method !== undefined && message.id !== undefined ? [message.id] : [];
      });
      assert.deepEqual(
        answers.map(({ id }) => id),
        expected,
      );
      for (const { result, error } of answers) assert.ok((result === undefined) !== (error === undefined));
    }),
  },
};
