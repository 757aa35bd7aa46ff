import assert from 'node:assert/strict';
import { completeTestFile } from '../../../src/knowledgeTests/testFileHints.ts';

/** Completions where `|` stands. */
function complete(text: string): unknown {
  const offset = text.indexOf('|');
  const found = completeTestFile(text.replace('|', ''), offset);
  if (!found) return undefined;
  const typed = text.slice(found.start, offset);
  return found.type === 'fields' ? [...found.names, typed] : [found.type, typed];
}

describe('completion in a file of knowledge tests', () => {
  it('offers the fields that the object at the cursor can still have', () => {
    assert.deepEqual(complete('|'), ['knowledge', 'top', 'questions', '']);
    assert.deepEqual(complete('knowledge: a\nto|'), ['top', 'questions', 'to']);
    const question = 'knowledge: a\nquestions:\n  - question: why?\n';
    assert.deepEqual(complete('questions:\n  - |'), ['question', 'find', 'top', 'answer', '']);
    assert.deepEqual(complete(`${question}    fi|`), ['find', 'top', 'answer', 'fi']);
    assert.deepEqual(complete(`${question}    find:\n      - |`), ['file', 'lines', 'words', '']);
    assert.deepEqual(complete(`${question}    find:\n      file: a\n      |`), ['lines', 'words', '']);
    assert.deepEqual(complete(`${question}    find:\n      - file: a\n      - |`), [
      'file',
      'lines',
      'words',
      '',
    ]);
    assert.deepEqual(complete(`${question}  - q|`), ['question', 'find', 'top', 'answer', 'q']);
  });

  it('offers knowledge bases and files for the values of their fields', () => {
    assert.deepEqual(complete('knowledge: Te|'), ['knowledge', 'Te']);
    assert.deepEqual(complete('knowledge:\n  - Team ha|'), ['knowledge', 'Team ha']);
    assert.deepEqual(complete('questions:\n  - find:\n      - file: docs/a|'), ['file', 'docs/a']);
    assert.deepEqual(complete('questions:\n  - find:\n      - file: "docs/|'), ['file', 'docs/']);
  });

  it('is silent in texts', () => {
    assert.equal(complete('questions:\n  - question: why |'), undefined);
    assert.equal(complete('questions:\n  - find:\n      - words: a|'), undefined);
  });
});
