import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findTextToolCalls } from '../../../../src/chat/calls/textToolCalls.ts';

const forms = {
  'Hermes and Qwen': '<tool_call>\n{"name": "read", "arguments": {"a": 1}}\n</tool_call>',
  Mistral: '[TOOL_CALLS] [{"name": "read", "arguments": {"a": 1}}]',
  'Qwen coder': '<tool_call>\n<function=read>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>',
  'Llama and others': '<function=read><parameter=a>1</parameter></function>',
  DeepSeek:
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"a": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
};
const call = fc.constantFrom(...Object.values(forms));
const read = { name: 'read', arguments: '{"a":1}' };
const { 'Hermes and Qwen': hermes } = forms;

const prose = fc
  .array(fc.constantFrom('I will look.', 'Use `read` for it:', '# A', '- one\n- two', '```js\nlet a;\n```'))
  .map((parts) => parts.join('\n\n'));

/** Contexts in which a call is only an example. */
const shown: Record<string, (text: string) => string> = {
  'in a code block': (text) => `\`\`\`\n${text}\n\`\`\``,
  'in a code block that is open': (text) => `~~~xml\n${text}`,
  'in a longer code block': (text) => `\`\`\`\`\n\`\`\`\n${text}`,
  'in a code block of a list': (text) => `1. So:\n   \`\`\`\n${text}`,
  'in a code block of a quote': (text) => `> ~~~\n\n${text}`,
  'in a code block after one that ended with its list': (text) =>
    `- So:\n\n  \`\`\`\n  a\n\nAnd:\n\n\`\`\`\n\n${text}`,
  'indented as code': (text) => text.replace(/^/gm, '    '),
  'in a quote': (text) => text.replace(/^/gm, '> '),
  'in a quote that goes on without its mark': (text) => `> They wrote:\n${text}`,
  'in a quote of a list': (text) => `- > They wrote:\n${text}`,
  'as a code span': (text) => `\`${text}\``,
  'as a code span of several lines': (text) => `A \`call\n${text}`,
  'in a sentence': (text) => `A call looks like ${text}`,
  'before a sentence': (text) => `${text}\nThat is how it looks.`,
  'before and in an answer': (text) => `${text}\n\nAnd once more:\n\n${text}`,
  'in HTML': (text) => `<pre>\n${text}\n\n</pre>`,
  'in HTML of capitals': (text) => `<PRE>\n${text}`,
  'in HTML that is open': (text) => `<details>\n<summary>A call</summary>\n\n${text}`,
  'in a comment': (text) => `<!--\n${text}`,
};

describe('chat: tool calls that a model writes as text', () => {
  for (const [name, text] of Object.entries(forms)) {
    it(`are read in the form of ${name}, at the end of an answer`, () => {
      const before = 'I will look at `a.ts`:\n';
      assert.deepEqual(findTextToolCalls(text), { start: 0, calls: [read] });
      assert.deepEqual(findTextToolCalls(`${before}${text}\n\n`), { start: before.length, calls: [read] });
    });
  }

  it('are all read, whatever forms they have and whatever was said before', () => {
    fc.assert(
      fc.property(prose, fc.array(call, { minLength: 1, maxLength: 5 }), (before, calls) => {
        const found = findTextToolCalls(`${before}\n\n${calls.join('\n')}`);
        assert.deepEqual(
          found?.calls,
          calls.map(() => read),
        );
      }),
    );
  });

  for (const [name, show] of Object.entries(shown)) {
    it(`are only words ${name}`, () => {
      fc.assert(
        fc.property(prose, call, fc.constantFrom('\n\n', '\r\n\r\n'), (before, text, gap) => {
          assert.equal(findTextToolCalls(`${before}${gap}${show(text)}`), undefined);
        }),
      );
    });
  }

  it('are read after a quote, or a code span, that an empty line has ended', () => {
    for (const before of ['> They wrote:\n\n', 'A `call\n \t\n', '```\na `b\n```\n', '`a` and ``b``:\n']) {
      assert.deepEqual(findTextToolCalls(before + hermes), { start: before.length, calls: [read] }, before);
    }
  });

  it('are only words where they are not whole', () => {
    for (const text of Object.values(forms)) {
      for (let end = 1; end < text.length; end++) {
        const found = findTextToolCalls(text.slice(0, end));
        // Brackets around complete calls may be missing.
        if (found) assert.match(text.slice(end), /^(?:\n?<\/tool_call>|<｜tool▁calls▁end｜>|.*｜>)$/);
      }
    }
    for (const text of [
      '<tool_call>{"name": "read", "arguments": {"a": 1}',
      '<tool_call>{"name": "read", "arguments": {"a": 1}} and so on</tool_call>',
      '<tool_call>{"name": 1}</tool_call>',
      '<tool_call>[]</tool_call>',
      '<tool_call>"read"</tool_call>',
      '[TOOL_CALLS] []',
      '[TOOL_CALLS] read',
      '<function=read><parameter=a>1</function>',
      '<function=read>a = 1</function>',
      `<tool_call>{"name": "read", "arguments": ${'['.repeat(300)}${']'.repeat(300)}}</tool_call>`,
    ])
      assert.equal(findTextToolCalls(text), undefined, text);
  });

  it('hold in their arguments whatever a file may hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const given = JSON.stringify({ content: `${content}\n\`\`\`\n</tool_call>` });
        const text = `<tool_call>{"name": "write", "arguments": ${given}}</tool_call>`;
        assert.deepEqual(findTextToolCalls(text)?.calls, [{ name: 'write', arguments: given }]);
      }),
    );
    const [found] =
      findTextToolCalls(
        '<function=write><parameter=__proto__>{"a": 1}</parameter><parameter=text>\n a\n\n</parameter></function>',
      )?.calls ?? [];
    assert.equal(found?.arguments, '{"__proto__":{"a": 1},"text":" a\\n"}');
  });

  it('are only words where there are more than would be run', () => {
    assert.equal(findTextToolCalls(hermes.repeat(64))?.calls.length, 64);
    assert.equal(findTextToolCalls(hermes.repeat(65)), undefined);
    const many = JSON.stringify(Array.from({ length: 200_000 }, () => ({ name: 'read' })));
    assert.equal(findTextToolCalls(`[TOOL_CALLS]${many}`), undefined);
  });

  const hostile: Record<string, (length: number) => string> = {
    'openings of calls': (length) => '<tool_call>\n'.repeat(length / 12),
    'openings of calls and of brackets': (length) => '<tool_call>{"a":[\n'.repeat(length / 18),
    'calls that end in a sentence': (length) => `${hermes.repeat(length / hermes.length)} x`,
    parameters: (length) => '<function=a><parameter=b>'.repeat(length / 25),
    'ends of parameters': (length) => `<function=a>${'<parameter=b></parameter>x'.repeat(length / 26)}`,
    brackets: (length) => `<tool_call>${'['.repeat(length)}`,
    'an open string': (length) => `<tool_call>{"${'\\"'.repeat(length / 2)}`,
    backticks: (length) => '`'.repeat(length),
    'runs of backticks': (length) =>
      Array.from({ length: Math.sqrt(length) }, (_, at) => '`'.repeat(at)).join(' '),
    quotes: (length) => '> '.repeat(length / 2),
    lists: (length) => '- '.repeat(length / 2),
    fences: (length) => '```\n'.repeat(length / 4),
    'white space': (length) => `<tool_call>${' '.repeat(length)}`,
    'line ends': (length) => '\r\n'.repeat(length / 2),
  };
  for (const [name, make] of Object.entries(hostile)) {
    // Quadratic time would exceed the test's limit.
    it(`are looked for in long texts: ${name}`, () => {
      findTextToolCalls(make(1_600_000) + hermes);
    });
  }
});
