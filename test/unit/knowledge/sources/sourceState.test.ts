import assert from 'node:assert/strict';
import fc from 'fast-check';
import { currentText, sourceState } from '../../../../src/knowledge/sources/sourceChecker.ts';

const indexed = ['# Rules', '', 'Boats wait outside the wall.', 'Three knots, everywhere.', ''].join('\n');
const content = 'Boats wait outside the wall.\nThree knots, everywhere.';
const segment = { content, path: 'rules.txt', lines: { startLine: 3, endLine: 4 } };

describe('sourceState', () => {
  it('says the lines of a source that is where it was', () => {
    const lines = { startLine: 3, endLine: 4 };
    assert.deepEqual(sourceState(segment, currentText(indexed)), { type: 'current', lines });
    const elsewhere = currentText(`${indexed}More below.\n`);
    assert.deepEqual(sourceState(segment, elsewhere), { type: 'current', lines });
    const unknownBefore = { content, path: 'rules.txt' };
    assert.deepEqual(sourceState(unknownBefore, currentText(`Above.\n${indexed}`)), {
      type: 'current',
      lines: { startLine: 4, endLine: 5 },
    });
  });

  it('says where a source has moved to', () => {
    assert.deepEqual(sourceState(segment, currentText(`One.\nTwo.\n${indexed}`)), {
      type: 'moved',
      lines: { startLine: 5, endLine: 6 },
    });
  });

  it('says that a source has changed, and where the rest of it is', () => {
    const changed = indexed.replace('Three', 'Five');
    assert.deepEqual(sourceState(segment, currentText(changed)), {
      type: 'changed',
      lines: { startLine: 3, endLine: 3 },
    });
    assert.deepEqual(sourceState(segment, currentText('All is new.')), { type: 'changed' });
    assert.deepEqual(sourceState(segment, currentText('')), { type: 'changed' });
  });

  it('says that the file is gone', () => {
    assert.deepEqual(sourceState(segment, 'gone'), { type: 'gone' });
  });

  it('takes what a platform cleaned for unchanged while the file is as it was indexed', () => {
    const cleaned = { ...segment, content: 'Boats wait outside the wall.\nSee for more.' };
    const lines = { startLine: 3, endLine: 3 };
    assert.deepEqual(sourceState(cleaned, currentText(indexed, true)), { type: 'current', lines });
    assert.deepEqual(sourceState(cleaned, currentText(indexed, false)), { type: 'changed', lines });
    const nowhere = { ...segment, content: 'A question made by the platform?' };
    assert.deepEqual(sourceState(nowhere, currentText(indexed, true)), { type: 'current' });
    assert.deepEqual(sourceState({ ...segment, content: ' \n' }, currentText(indexed)), { type: 'current' });
  });

  it('finds Markdown whose heading marks the platform dropped, but no other text without them', () => {
    const lines = { startLine: 1, endLine: 4 };
    const dropped = { content: 'Harbour\nRules\nBoats wait outside the wall.', lines };
    const text = currentText(`Harbour\n${indexed}`);
    assert.deepEqual(sourceState({ ...dropped, path: 'docs/Rules.MD' }, text), { type: 'current', lines });
    assert.equal(sourceState({ ...dropped, path: 'rules.py' }, text)?.type, 'changed');
  });

  it('judges binary files by their bytes alone', () => {
    const binary = (isAsIndexed: boolean | undefined) =>
      sourceState(segment, { locator: undefined, isAsIndexed });
    assert.deepEqual(binary(true), { type: 'current' });
    assert.deepEqual(binary(false), { type: 'changed' });
    assert.equal(binary(undefined), undefined);
  });

  it('never calls lines changed that are all there, nor unchanged lines of which a word is missing', () => {
    const line = fc.stringMatching(/^[a-f]{3,8}( [a-f]{1,8}){2,4}$/);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(line), fc.array(line), (own, above, below) => {
        const kept = { content: own.join('\n'), path: 'a.txt', lines: { startLine: 1, endLine: own.length } };
        const there = sourceState(kept, currentText([...above, ...own, ...below].join('\r\n')));
        assert.ok(there?.type === 'current' || there?.type === 'moved');
        const edited = [...above, ...own.map((each) => each.replace(/\S+$/, 'X')), ...below].join('\n');
        const without = edited.replace(/\s/g, '').includes(own.join('').replace(/\s/g, ''));
        if (!without) assert.equal(sourceState(kept, currentText(edited))?.type, 'changed');
      }),
    );
  });
});
