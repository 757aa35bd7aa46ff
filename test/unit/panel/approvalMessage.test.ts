import assert from 'node:assert/strict';
import type { Question } from '../../../src/chat/calls/toolBox.ts';
import { approvalMessage, saysWholeCall } from '../../../src/panel/approvalMessage.ts';

describe('approvalMessage', () => {
  const foreign = (input: Question['input']): Question => ({
    ...{ id: 'q', name: 'tide_now', title: 'Tide now', input },
  });

  it('says what a tool of others is given, since its name says nothing of it', () => {
    assert.equal(
      approvalMessage(foreign({ place: 'Ostend', days: [1, 2] }), undefined),
      'Run Tide now (place: Ostend, days: [ 1, 2 ])',
    );
    assert.equal(approvalMessage(foreign({}), undefined), 'Run Tide now');
  });

  it('bounds what it is given, and lets nothing of it become a link', () => {
    const text = approvalMessage(foreign({ a: '[x](command:y)', b: 'long '.repeat(100) }), 'Tides');
    assert.match(text, /^Run Tide now \(a: \[x\] \(command:y\), b: long long .*…\) \(in "Tides"\)$/);
    assert.ok(text.length < 260);
  });

  it('knows whether a call stands in it as a whole', () => {
    const command = (text: string): Question => ({ id: 'q', name: 'run_command', input: { command: text } });
    assert.equal(approvalMessage(command('npm test'), undefined), 'Run npm test');
    assert.equal(saysWholeCall(command('npm test')), true);
    assert.equal(saysWholeCall(foreign({ place: 'Ostend', days: [1, 2] })), true);
    assert.equal(saysWholeCall({ id: 'q', name: 'edit_file', input: { path: 'x'.repeat(500) } }), true);
    const texts: [text: string, ofCommand: boolean, ofOthers: boolean][] = [
      [`npm test ${'-- '.repeat(50)}; danger`, false, true],
      [`npm test ${'-- '.repeat(70)}; danger`, false, false],
      ['npm test\ndanger', false, false],
      ['npm test   danger', false, false],
      ['a\u202eb', false, false],
    ];
    for (const [text, ofCommand, ofOthers] of texts) {
      assert.equal(saysWholeCall(command(text)), ofCommand, text);
      assert.equal(saysWholeCall(foreign({ text })), ofOthers, text);
    }
  });
});
