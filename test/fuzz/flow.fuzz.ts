import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describeFlowChanges } from '../../src/flows/describeFlowChanges.ts';
import { readFlow } from '../../src/flows/dsl/readFlow.ts';
import { splitFlow } from '../../src/flows/dsl/splitFlow.ts';
import { flowProblems } from '../../src/flows/flowProblems.ts';
import { flowText, modelNode, plainNodes } from '../support/flowText.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

const marks = [
  ...[
    'workflow:',
    'graph:',
    'nodes:',
    'edges:',
    '- ',
    '  ',
    '    ',
    '\n',
    '\r\n',
    '\t',
    '#',
    '---\n',
    '...\n',
    '%YAML 1.1\n',
  ],
  ...[
    '&a ',
    '*a',
    '<<: *a',
    '!!binary ',
    '!x ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
    '|\n',
    '>-\n',
    '? ',
    ': ',
    'id: a\n',
    '\0',
  ],
  ...['data:\n', 'type: llm\n', '{{#a.b#}}', 'version: 1\n', 'app:\n', '__proto__: 1\n', 'constructor: x\n'],
];
const yaml = fc
  .array(fc.oneof(fc.constantFrom(...marks), hostileText(marks, 2)), { maxLength: 40 })
  .map((parts) => parts.join(''));
const broken = fc.tuple(yaml, fc.nat(), fc.nat(40)).map(([hostile, at, length]) => {
  const text = flowText();
  const start = at % text.length;
  return text.slice(0, start) + hostile + text.slice(start + length);
});
const deep = fc
  .tuple(fc.constantFrom('[', '{a: ', '- ', '? ', '&a ', 'a: '), fc.integer({ min: 1, max: 3000 }))
  .map(([sign, times]) => sign.repeat(times));
const nested = fc
  .integer({ min: 1, max: 1200 })
  .map((depth) => Array.from({ length: depth }, (_, n) => `${' '.repeat(n)}a:`).join('\n'));
const anything = fc.oneof(yaml, broken, deep, nested);

const title = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() === text);

export const target: Target = {
  'never throws, whatever the YAML, and places every problem in the text': {
    runs: 400,
    property: fc.property(anything, (text) => {
      for (const { start, end, message } of flowProblems(readFlow(text))) {
        assert.ok(
          start >= 0 && start <= end && end <= text.length + 1,
          `${start} to ${end} of ${text.length}`,
        );
        assert.ok(message.length < 1000);
      }
    }),
  },
  'summarises whatever changed without throwing, and nothing of the same text': {
    runs: 300,
    property: fc.property(anything, anything, (before, after) => {
      assert.ok(describeFlowChanges(readFlow(before), readFlow(after)).length <= 101);
      assert.deepEqual(describeFlowChanges(readFlow(after), readFlow(after)), []);
    }),
  },
  'cuts a text without losing a character': {
    runs: 600,
    property: fc.property(anything, (text) => {
      const { frame, nodes, edges } = splitFlow(text);
      const size = [...nodes, ...edges].reduce((sum, piece) => sum + piece.text.length, frame.length);
      assert.equal(size, text.length);
      for (const { start, text: own } of [...nodes, ...edges]) assert.ok(text.startsWith(own, start));
    }),
  },
  'gives back the titles and prompts of a written file': {
    runs: 200,
    property: fc.property(title, title, (name, prompt) => {
      const [start, , end] = plainNodes();
      const flow = readFlow(flowText({ nodes: [start!, modelNode('llm', name, prompt), end!] }));
      assert.equal(flow.nodes[1]?.data?.get('title')?.text(), name);
      assert.equal(flow.nodes[1]?.data?.get('prompt_template')?.items()[1]?.get('text')?.text(), prompt);
      assert.equal(flow.nodes.length, 3);
    }),
  },
};
