import assert from 'node:assert/strict';
import { readSources } from '../../run/imports.ts';

/** A statement that ends by dropping an error, or an empty handler. */
const dropped =
  /^\s*(?:void |await |if \(.*\) (?:void |await )?)?[\w.?]+.*\.catch\(\(\w*\) => (?:undefined|\{\s*\})\);$/;
const empty = /\bcatch(?: \(\w+\))? \{\s*\}/;

function unexplained({ path, text }: { path: string; text: string }): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const isDropping = dropped.test(line) && !/^\s*(?:(?:const|let|return)\b|this\.\w+ =)/.test(line);
    const next = lines[index + 1]?.trim();
    const isEmpty = empty.test(line) || (/\bcatch(?: \(\w+\))? \{$/.test(line) && next === '}');
    const isExplained = /\/\/ \w/.test(lines[index - 1] ?? '') || /\/\/ \w/.test(line);
    return (isDropping || isEmpty) && !isExplained ? [`src/${path}:${index + 1}: ${line.trim()}`] : [];
  });
}

describe('an error that is dropped', () => {
  it('has its reason beside it', async () => {
    const sources = await readSources();
    assert.ok(sources.some(({ text }) => text.split('\n').some((line) => dropped.test(line))));
    assert.deepEqual(sources.flatMap(unexplained), []);
  });

  const cases: [line: string, isFound: boolean][] = [
    ['  void save().catch(() => undefined);', true],
    ['  await this.files.write(id).catch(() => {});', true],
    ['  if (isLate) await this.files.write(id).catch(() => {});', true],
    ['  taking?.catch(() => undefined);', true],
    ['  // Nobody waits for it.\n  taking?.catch(() => undefined);', false],
    ['  const found = await find(path).catch(() => undefined);', false],
    ['  return find(path).catch(() => undefined);', false],
    ['  } catch {\n  }', true],
    ['  } catch (error) {}', true],
    ['  } catch {\n    // It was gone already.\n  }', false],
  ];
  for (const [line, isFound] of cases) {
    it(`is ${isFound ? 'found' : 'accepted'}: ${JSON.stringify(line)}`, () =>
      assert.equal(unexplained({ path: 'a.ts', text: line }).length > 0, isFound));
  }
});
