import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findTextToolCalls } from '../../src/chat/calls/textToolCalls.ts';
import { hostileText } from './inputs.ts';
import type { Target } from './property.ts';

interface Call {
  name: string;
  input: Record<string, string>;
}

const calls: fc.Arbitrary<Call[]> = fc.array(
  fc.record({
    name: fc.constantFrom('read_file', 'edit_file', 'x-1'),
    input: fc.dictionary(
      fc.constantFrom('path', 'newText', 'line'),
      hostileText(['a', '{', '}', '"', '\\', ']', '</tool', '`', '4'], 8).filter(
        (text) => !text.includes('</parameter>'),
      ),
      { noNullPrototype: true },
    ),
  }),
  { minLength: 1, maxLength: 3 },
);
const json = ({ name, input }: Call) => JSON.stringify({ name, arguments: input });

const forms: Record<string, (list: Call[], space: string) => string> = {
  Hermes: (list, space) =>
    list.map((call) => `<tool_call>${space}${json(call)}${space}</tool_call>`).join(space),
  Mistral: (list, space) => `[TOOL_CALLS]${space}[${list.map(json).join(',')}]`,
  Qwen: (list, space) =>
    list
      .map(({ name, input }) => {
        const parameters = Object.entries(input).map(
          ([key, value]) => `<parameter=${key}>\n${JSON.stringify(value)}\n</parameter>${space}`,
        );
        return `<function=${name}>${space}${parameters.join('')}</function>`;
      })
      .join(space),
  DeepSeek: (list, space) =>
    `<｜tool▁calls▁begin｜>${list
      .map(
        ({ name, input }) =>
          `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(input)}\n\`\`\`<｜tool▁call▁end｜>${space}`,
      )
      .join('')}<｜tool▁calls▁end｜>`,
};
const form = fc.constantFrom(...Object.keys(forms));
const space = fc.constantFrom('', ' ', '\n', '\n\n', '\t');
const prose = fc
  .array(
    fc.constantFrom(
      'I read the file.',
      'It says `x`.',
      '**Then**',
      '- one',
      '1. two',
      '# Heading',
      '',
      '```js\nlet a;\n```',
    ),
    {
      maxLength: 4,
    },
  )
  .map((lines) => lines.map((line) => `${line}\n\n`).join(''));

/** Contexts in which a call is only an example. */
const shown: Record<string, (call: string) => string> = {
  'in a fence': (call) => `Like this:\n\n\`\`\`\n${call}\n\`\`\``,
  'in a fence of tildes': (call) => `~~~xml\n${call}\n~~~`,
  'in a longer fence': (call) => `\`\`\`\`md\n\`\`\`\n${call}\n\`\`\`\`\n`,
  'in a fence that is never closed': (call) => `\`\`\`\n${call}`,
  'in a fence of a list': (call) => `- so:\n  \`\`\`\n${call}`,
  'in a quote': (call) => call.replace(/^/gm, '> '),
  'right after a quote': (call) => `> The file says:\n${call}`,
  'in code': (call) => `It is \`${call}\``,
  'in code over lines': (call) => `It is \`so\n${call}\``,
  'in HTML': (call) => `<div>\n${call}`,
  'in a comment': (call) => `<!--\n${call}`,
  'in a sentence': (call) => `Write ${call} to read it.`,
  'at the end of a line': (call) => `Write ${call}`,
  'as indented code': (call) => call.replace(/^/gm, '    '),
  'in quotation marks': (call) => `"${call}"`,
  'before more words': (call) => `${call}\nThis is how it is done.`,
  'with a mark behind it': (call) => `${call}.`,
};

export const target: Target = {
  'reads the calls at the end of an answer, in each form': {
    runs: 2500,
    property: fc.property(calls, form, space, prose, space, (list, which, between, before, after) => {
      const found = findTextToolCalls(before + forms[which]!(list, between) + after);
      assert.deepEqual(
        found && {
          ...found,
          calls: found.calls.map((call) => ({ ...call, arguments: JSON.parse(call.arguments) as unknown })),
        },
        { start: before.length, calls: list.map(({ name, input }) => ({ name, arguments: input })) },
      );
    }),
  },
  'runs no call that is only shown': {
    runs: 2500,
    property: fc.property(
      calls,
      form,
      space,
      prose,
      fc.constantFrom(...Object.keys(shown)),
      (list, which, between, before, how) => {
        assert.equal(findTextToolCalls(before + shown[how]!(forms[which]!(list, between))), undefined);
      },
    ),
  },
  'reads nothing into an answer that is not in it': {
    runs: 3000,
    property: fc.property(
      hostileText(
        [
          '<tool_call>',
          '</tool_call>',
          '[TOOL_CALLS]',
          '<function=x>',
          '</function>',
          '<parameter=p>',
          '</parameter>',
          '{"name":"x"}',
          '[',
          ']',
          '{',
          '}',
          '```',
          '\n',
          '> ',
        ],
        16,
      ),
      (text) => {
        const found = findTextToolCalls(text);
        if (!found) return;
        const { start, calls: list } = found;
        assert.ok(start === 0 || /[\r\n]$/.test(text.slice(0, start)));
        assert.match(text.slice(start), /^(?:<tool_call>|\[TOOL_CALLS\]|<function=|<｜tool)/);
        assert.match(text.trimEnd(), /(?:<\/tool_call>|\]|\}|<\/function>|｜>)$/);
        assert.ok(list.length > 0 && list.length <= 64);
        for (const { name, arguments: given } of list) {
          assert.ok(text.slice(start).includes(name));
          assert.equal(typeof given, 'string');
        }
      },
    ),
  },
};
