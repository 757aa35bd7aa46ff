import assert from 'node:assert/strict';
import { changeText } from '../../../src/clients/clientFiles.ts';
import { type Edit, UnchangeableFile } from '../../../src/clients/edit.ts';
import { type FormatName, formats } from '../../../src/clients/formats/allFormats.ts';

async function change(format: FormatName, text: string, ...edits: Edit[]): Promise<string> {
  return changeText(await formats[format](), text, () => edits);
}

type Case = [name: string, format: FormatName, before: string, edits: Edit[], after: string];

const cases: Case[] = [
  [
    'an empty file',
    'json',
    '',
    [{ path: ['env', 'A'], value: 'x' }],
    '{\n  "env": {\n    "A": "x"\n  }\n}\n',
  ],
  ['an empty object', 'json', '{}', [{ path: ['a'], value: 1 }], '{\n  "a": 1\n}'],
  ['an object in one line', 'json', '{"b": 2}', [{ path: ['a', 'c'], value: 1 }], '{"b": 2, "a": {"c":1}}'],
  [
    'a file indented by tabs',
    'json',
    '{\n\t"b": {\n\t\t"c": 1\n\t}\n}\n',
    [{ path: ['b'], value: { d: { e: true } } }],
    '{\n\t"b": {\n\t\t"c": 1,\n\t\t"d": {\n\t\t\t"e": true\n\t\t}\n\t}\n}\n',
  ],
  [
    'line ends of Windows and a byte order mark',
    'json',
    '\uFEFF{\r\n  "b": 2\r\n}\r\n',
    [{ path: ['a'], value: 1 }],
    '\uFEFF{\r\n  "b": 2,\r\n  "a": 1\r\n}\r\n',
  ],
  ['a value that is there already', 'json', '{ "a":1 }', [{ path: ['a'], value: 1 }], '{ "a":1 }'],
  [
    'the last of two members with one name',
    'json',
    '{"a":1,"a":2}',
    [{ path: ['a'], value: 3 }],
    '{"a":1,"a":3}',
  ],
  [
    'null, which is as good as nothing',
    'json',
    '{"a":null}',
    [{ path: ['a', 'b'], value: 1 }],
    '{"a":{\n  "b": 1\n}}',
  ],
  ['a member that goes', 'json', '{\n  "a": 1,\n  "b": 2\n}', [{ path: ['a'] }], '{\n  "b": 2\n}'],
  ['the last member, which goes', 'json', '{\n  "a": 1,\n  "b": 2\n}', [{ path: ['b'] }], '{\n  "a": 1\n}'],
  ['the only member, which goes', 'json', '{"a": 1}', [{ path: ['a'] }], '{}'],
  ['what is not there, which goes', 'json', '{"a": 1}', [{ path: ['b', 'c'] }], '{"a": 1}'],
  [
    'a name that objects have of themselves',
    'json',
    '{}',
    [{ path: ['constructor', 'a'], value: 1 }],
    '{\n  "constructor": {\n    "a": 1\n  }\n}',
  ],
  [
    'comments, also behind what comes to be no longer the last',
    'jsonc',
    '// mine\n{\n  "a": 1, // one\n  /* two */ "b": 2 // last\n  // end\n}\n',
    [{ path: ['c'], value: 3 }],
    '// mine\n{\n  "a": 1, // one\n  /* two */ "b": 2, // last\n  // end\n  "c": 3\n}\n',
  ],
  [
    'a comma behind the last member',
    'jsoncWithTrailingCommas',
    '{\n  "a": [1, 2,],\n}\n',
    [
      { path: ['b'], value: 2 },
      { path: ['a', 2], value: 3 },
    ],
    '{\n  "a": [1, 2, 3],\n  "b": 2\n}\n',
  ],
  [
    'names without quotes, and a comment that ends the file',
    'json5',
    "{ // top\n  models: { 'p': {a: 'x',}, },\n}\n// end",
    [
      { path: ['models', 'p'], value: { a: 'y', b: 0 } },
      { path: ['models', 'q'], value: 1 },
    ],
    '{ // top\n  models: { \'p\': {a: "y", "b": 0}, "q": 1 },\n}\n// end',
  ],
  [
    'keys of the file before the first table',
    'toml',
    '# top\nsandbox = "x" # why\n\n# about the table\n[other]\nmodel = "theirs"\n',
    [
      { path: ['model'], value: 'm' },
      { path: ['providers', 'relay'], value: { url: 'u', n: 1 } },
    ],
    '# top\nsandbox = "x" # why\nmodel = "m"\n\n# about the table\n[other]\nmodel = "theirs"\n\n[providers.relay]\nurl = "u"\nn = 1\n',
  ],
  [
    'a file that begins with a table',
    'toml',
    '# mine\n[a]\nb = 1',
    [{ path: ['model'], value: 'm' }],
    'model = "m"\n\n# mine\n[a]\nb = 1',
  ],
  [
    'a table that is there',
    'toml',
    'model = "old"\n[p.relay] # ours\nurl = "old" # address\n\n[p.other]\nurl = "theirs"',
    [
      { path: ['model'], value: 'new' },
      { path: ['p', 'relay'], value: { url: 'new', key: 'K' } },
    ],
    'model = "new"\n[p.relay] # ours\nurl = "new" # address\nkey = "K"\n\n[p.other]\nurl = "theirs"',
  ],
  ['an empty TOML file', 'toml', '', [{ path: ['a'], value: 'x"\\\n' }], 'a = "x\\"\\\\\\n"\n'],
  ['a line that goes', 'toml', '[a]\nb = 1 # b\nc = 2\n', [{ path: ['a', 'c'] }], '[a]\nb = 1 # b\n'],
  [
    'a list of a YAML file, indented or not',
    'yaml',
    '# mine\nmodels:\n- name: a\n  x: 1 # one\nrules: []\n',
    [{ path: ['models', 1], value: { name: 'b', roles: ['chat'] } }],
    '# mine\nmodels:\n- name: a\n  x: 1 # one\n- name: "b"\n  roles:\n    - "chat"\nrules: []\n',
  ],
  [
    'a map in a list of a YAML file',
    'yaml',
    'models:\n  - name: a # first\n    url: old\n',
    [{ path: ['models', 0], value: { url: 'new', key: 'yes' } }],
    'models:\n  - name: a # first\n    url: "new"\n    key: "yes"\n',
  ],
  [
    'lists and maps of a YAML file in one line',
    'yaml',
    'models: [{name: a}]\nm: {}\n',
    [
      { path: ['models', 1], value: { name: 'b' } },
      { path: ['m', 'k'], value: 1 },
    ],
    'models: [{name: a}, {"name":"b"}]\nm: {"k": 1}\n',
  ],
  [
    'a YAML key without a value',
    'yaml',
    'a: 1\nmodels:\n',
    [{ path: ['models', 0], value: 1 }],
    'a: 1\nmodels: [1]\n',
  ],
  ['a YAML file of comments alone', 'yaml', '# mine', [{ path: ['a'], value: 'x' }], '# mine\na: "x"\n'],
  ['a YAML line that goes', 'yaml', 'a: 1\nb: 2 # two\n', [{ path: ['a'] }], 'b: 2 # two\n'],
];

describe('a file of another program, changed', () => {
  for (const [name, format, before, edits, after] of cases) {
    it(`keeps all else: ${name}`, async () => {
      assert.equal(await change(format, before, ...edits), after);
    });
  }

  /** Each with the reported line. */
  const broken: [format: FormatName, text: string, line: number][] = [
    ['json', '{\n  "a": 1, // no\n}', 2],
    ['json', '{\n  "a": 1,\n}', 3],
    ['json', '[]', 1],
    ['json', '{"a": 1', 1],
    ['jsonc', '{\n  "a": 1,\n}', 3],
    ['jsonWithLineComments', '{\n// yes\n/* no */\n}', 3],
    ['json5', '{\n a: 1\n b: 2\n}', 3],
    ['toml', 'a = 1\nb = "x\n', 2],
    ['toml', 'a = 1\na = 2\n', 2],
    ['yaml', 'a: 1\nb: x: y\n', 2],
    ['yaml', 'a: 1\na: 2\n', 2],
    ['yaml', '- a\n', 1],
  ];
  for (const [format, text, line] of broken) {
    it(`is not written when its program would refuse it: ${format} ${JSON.stringify(text)}`, async () => {
      await assert.rejects(change(format, text, { path: ['z'], value: 1 }), (error) => {
        assert.ok(error instanceof UnchangeableFile);
        assert.equal(error.line, line, error.message);
        return true;
      });
    });
  }

  /** Valid for their programs, but impossible to edit in place. */
  const stubborn: [format: FormatName, text: string, edit: Edit][] = [
    ['json', '{"a": [1]}', { path: ['a', 'b'], value: 1 }],
    ['json', '{"a": "text"}', { path: ['a', 'b'], value: 1 }],
    ['toml', 'p = { relay = { url = "x" } }\n', { path: ['p', 'relay', 'key'], value: 'k' }],
    ['toml', 'p.relay.url = "x"\n[q]\n', { path: ['p', 'relay', 'key'], value: 'k' }],
    ['yaml', 'a: &x {b: 1}\nc: *x\n', { path: ['c', 'b'], value: 2 }],
    ['yaml', 'a: 1\n---\nb: 2\n', { path: ['z'], value: 1 }],
    ['yaml', 'a: |\n  text\n', { path: ['a'], value: 'x' }],
  ];
  for (const [format, text, edit] of stubborn) {
    it(`is left alone where it can't be changed safely: ${format} ${JSON.stringify(text)}`, async () => {
      await assert.rejects(change(format, text, edit), UnchangeableFile);
    });
  }

  it("is left alone when what was edited doesn't read as expected", async () => {
    const json = await formats.json();
    const edits = () => [{ path: ['a'], value: 2 }];
    for (const wrong of ['{"a": 1}', '{"a": 2, "b": 0}', '{"a": 2']) {
      assert.throws(() => changeText({ ...json, replace: () => wrong }, '{"a": 1}', edits), UnchangeableFile);
    }
  });
});
