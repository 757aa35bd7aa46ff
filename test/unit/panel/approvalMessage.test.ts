import assert from 'node:assert/strict';
import type { Question } from '../../../src/chat/calls/toolBox.ts';
import { approvalMessage, saysWholeCommand } from '../../../src/panel/approvalMessage.ts';

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

  it('knows whether a command stands in it as a whole', () => {
    const command = (text: string): Question => ({ id: 'q', name: 'run_command', input: { command: text } });
    assert.equal(approvalMessage(command('npm test'), undefined), 'Run npm test');
    assert.equal(saysWholeCommand(command('npm test')), true);
    for (const text of [
      `npm test ${'-- '.repeat(50)}; danger`,
      'npm test\ndanger',
      'npm test   danger',
      'a\u202eb',
    ]) {
      assert.equal(saysWholeCommand(command(text)), false, text);
    }
    assert.equal(
      saysWholeCommand(foreign({ command: 'x'.repeat(500) })),
      true,
      'its arguments are cut visibly',
    );
  });
});
