import assert from 'node:assert/strict';
import { applyReplacements, type Replacement } from '../../../src/tools/edits/replacements.ts';
import { createGiveWay } from '../../../src/base/async/promises.ts';

/** Arguments that models really send for `edit_file`: clear ones are understood, others are never guessed. */
interface Broken {
  what: string;
  text: string;
  replacements: Replacement[];
  /** The text after the edit, or the reason for none. */
  gives: string | RegExp;
}

const swap = (oldText: string, newText: string, all?: boolean): Replacement => ({ oldText, newText, all });

const code = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 1;\n}\n';

const broken: Broken[] = [
  // Line ends.
  {
    what: 'line feeds for a file with carriage returns',
    text: 'a\r\nb\r\nc\r\n',
    replacements: [swap('a\nb', 'x\ny\nz')],
    gives: 'x\r\ny\r\nz\r\nc\r\n',
  },
  {
    what: 'carriage returns for a file without',
    text: 'a\nb\nc\n',
    replacements: [swap('a\r\nb', 'x\r\ny')],
    gives: 'x\ny\nc\n',
  },
  {
    what: 'mixed line ends, of which each stays that is not touched',
    text: 'a\r\nb\r\nc\nd\n',
    replacements: [swap('c\nd', 'e')],
    gives: 'a\r\nb\r\ne\n',
  },
  // White space at the end of lines.
  {
    what: 'no white space where the file has some',
    text: 'a;  \nb;\t\nc;\n',
    replacements: [swap('a;\nb;\nc;', 'a;\nB;\nc;')],
    gives: 'a;  \nB;\nc;\n',
  },
  {
    what: 'white space where the file has none',
    text: 'a;\nb;\n',
    replacements: [swap('a;  \nb;', 'a;\nB;')],
    gives: 'a;\nB;\n',
  },
  {
    what: 'white space at the end of the last line',
    text: 'a;\nb;\n',
    replacements: [swap('b; ', 'B;')],
    gives: 'a;\nB;\n',
  },
  {
    what: 'white space at the end of the file',
    text: 'a;\nb;',
    replacements: [swap('b;\t', 'B;')],
    gives: 'a;\nB;',
  },
  {
    what: 'an empty line that is not empty in the file',
    text: 'a\n    \nb\n',
    replacements: [swap('a\n\nb', 'a\n\nc')],
    gives: 'a\n    \nc\n',
  },
  {
    what: 'white space and other line ends at once',
    text: 'if (x) {\t\r\n  y();\r\n}\r\n',
    replacements: [swap('if (x) {\n  y();\n}', 'if (x) {\n  z();\n}')],
    gives: 'if (x) {\t\r\n  z();\r\n}\r\n',
  },
  // Characters that look alike.
  {
    what: 'straight quotes for curly ones, which stay in lines that are only repeated',
    text: 'say(“hi”);\nend(’x’);\n',
    replacements: [swap('say("hi");\nend(\'x\');', 'say("hi");\nstop();')],
    gives: 'say(“hi”);\nstop();\n',
  },
  {
    what: 'curly quotes for straight ones',
    text: 'it\'s "so"\n',
    replacements: [swap('it’s “so”', 'it is so')],
    gives: 'it is so\n',
  },
  {
    what: 'a hyphen for an en dash',
    text: 'pages 3–9\n',
    replacements: [swap('pages 3-9', 'pages 3–10')],
    gives: 'pages 3–10\n',
  },
  {
    what: 'an em dash for a hyphen',
    text: 'a - b\n',
    replacements: [swap('a — b', 'a + b')],
    gives: 'a + b\n',
  },
  {
    what: 'a minus sign for a hyphen',
    text: 'x = -1\n',
    replacements: [swap('x = −1', 'x = 1')],
    gives: 'x = 1\n',
  },
  {
    what: 'a space for one that does not break',
    text: '10\u00a0km\n',
    replacements: [swap('10 km', '12 km')],
    gives: '12 km\n',
  },
  {
    what: 'a narrow and an ideographic space for plain ones',
    text: 'a b c\n',
    replacements: [swap('a\u202fb\u3000c', 'abc')],
    gives: 'abc\n',
  },
  {
    what: 'all occurrences, of which each looks another way',
    text: '“a” and "a"\n',
    replacements: [swap('„a‟', 'b', true)],
    gives: 'b and b\n',
  },
  // Exact text is never folded.
  {
    what: 'text that occurs exactly once, and once more in another form',
    text: 'a - b\na – b\n',
    replacements: [swap('a – b', 'c')],
    gives: 'a - b\nc\n',
  },
  // No guesses.
  {
    what: 'text that fits two places when it is folded',
    text: '“a”\nb\n„a‟\n',
    replacements: [swap('"a"', 'c')],
    gives: /oldText occurs 2 times \(lines 1, 3\)/,
  },
  {
    what: 'text that occurs twice',
    text: code,
    replacements: [swap('  return 1;\n}', '  return 2;\n}')],
    gives: /^The replacement does not fit: oldText occurs 2 times \(lines 2, 6\)\. Add lines around it/,
  },
  {
    what: 'other indentation',
    text: code,
    replacements: [swap('function b() {\n    return 1;', 'x')],
    gives:
      /Only white space differs\. The file has:\n5\tfunction b\(\) \{\n6\t {2}return 1;\nCopy it exactly/,
  },
  {
    what: 'tabs for spaces',
    text: code,
    replacements: [swap('function a() {\n\treturn 1;', 'x')],
    gives: /Only white space differs.*\n1\tfunction a/,
  },
  {
    what: 'a name that is nearly right',
    text: 'const total = sum(list);\n',
    replacements: [swap('const totals = sum(list);', 'x')],
    gives: /The nearest is:\n1\tconst total = sum\(list\);/,
  },
  {
    what: 'line numbers',
    text: 'a\nb\n',
    replacements: [swap('1\ta\n2\tb', 'x')],
    gives: /line numbers of read_file/,
  },
  {
    what: 'a line that was left out',
    text: 'a()\nb()\nc()\n',
    replacements: [swap('a()\nc()', 'x')],
    gives: /does not occur in the file\. The nearest is:\n1\ta\(\)/,
  },
  {
    what: 'an ellipsis for what is between',
    text: code,
    replacements: [swap('function a() {\n  ...\n}', 'x')],
    gives: /does not occur in the file/,
  },
  {
    what: 'another case',
    text: 'Hello\n',
    replacements: [swap('hello', 'x')],
    gives: /does not occur in the file/,
  },
  {
    what: 'nothing but white space that is not there',
    text: 'a\nb\n',
    replacements: [swap(' \n ', 'x')],
    gives: /does not occur in the file/,
  },
  {
    what: 'an empty text',
    text: 'a\n',
    replacements: [swap('', 'x')],
    gives: /oldText is empty\. To insert text/,
  },
  // Several replacements: all or none, with all problems reported at once.
  {
    what: 'two of three that do not fit',
    text: 'a\nb\nc\n',
    replacements: [swap('q', 'x'), swap('b', 'y'), swap('zebra', 'z')],
    gives: /^Replacement 1 of 3 does not fit: .*\nReplacement 3 of 3 does not fit: /s,
  },
  {
    what: 'one that needs what the one before it makes',
    text: 'a\n',
    replacements: [swap('a', 'b\nc'), swap('c', 'd')],
    gives: 'b\nd\n',
  },
  {
    what: 'the same replacement twice',
    text: 'a\nb\n',
    replacements: [swap('a', 'x'), swap('a', 'x')],
    gives: /^Replacement 2 of 2 does not fit: oldText does not occur/,
  },
];

describe('tools: edits as models send them', () => {
  for (const { what, text, replacements, gives } of broken) {
    it(`${typeof gives === 'string' ? 'makes' : 'refuses'} one with ${what}`, async () => {
      const outcome = await applyReplacements(text, replacements, createGiveWay());
      if (typeof gives === 'string') assert.deepEqual(outcome, { text: gives });
      else {
        assert.ok('problem' in outcome);
        assert.match(outcome.problem, gives);
      }
    });
  }

  it('tells of a file as large as may be, and of a near miss in it, without a view of all its lines', async () => {
    const text = `${'const a = 1;\n'.repeat(300_000)}call(  one );\n${'const b = 1;\n'.repeat(300_000)}`;
    const outcome = await applyReplacements(
      text,
      [swap('call(one);', ''), swap('const b = 1;', '')],
      createGiveWay(),
    );
    assert.deepEqual(outcome, {
      problem:
        'Replacement 1 of 2 does not fit: oldText does not occur in the file. Only white space differs. The file has:\n' +
        '300001\tcall(  one );\nCopy it exactly.\n' +
        'Replacement 2 of 2 does not fit: oldText occurs 100000 times or more. Add text around it.',
    });
  });

  it('makes no text that is larger than what can be edited', async () => {
    const outcome = await applyReplacements(
      'a'.repeat(50_000),
      [swap('a', 'b'.repeat(1000), true)],
      createGiveWay(),
    );
    assert.ok('problem' in outcome);
    assert.match(outcome.problem, /the file would be larger than 10 MB/);
  });

  it('tells what is nearest of the first four that do not fit, and compares a part of the file for each', async () => {
    const text = `${'x'.repeat(99)}\n`.repeat(4000);
    const problemOf = async (count: number) => {
      const misses = Array.from({ length: count }, (_, index) =>
        swap(`the ${'wanted '.repeat(9)}line ${index}`, ''),
      );
      const outcome = await applyReplacements(
        `${text}the ${'wanted '.repeat(9)}line\n`,
        misses,
        createGiveWay(),
      );
      return 'problem' in outcome ? outcome.problem : '';
    };
    assert.match(await problemOf(1), /The nearest is:\n4001\tthe wanted/);
    const many = await problemOf(6);
    assert.equal(many.match(/Nothing like it is there/g)?.length, 4);
    assert.match(many, /\nNor do replacements 5, 6\.$/);
  });
});
