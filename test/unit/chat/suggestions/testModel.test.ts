import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import type { AskSuggestion } from '../../../../src/chat/suggestions/askSuggestion.ts';
import { testSuggestions } from '../../../../src/chat/suggestions/testModel.ts';

const never = new AbortController().signal;
const answering =
  (text: string): AskSuggestion =>
  async () => ({ text, isCut: false });
const failing =
  (...failure: ConstructorParameters<typeof SwitchboardError>): AskSuggestion =>
  async () => {
    throw new SwitchboardError(...failure);
  };

async function reasonOf(ask: AskSuggestion): Promise<string | undefined> {
  const verdict = await testSuggestions(ask, 'm', never);
  return verdict.isFit ? undefined : verdict.reason;
}

describe('the test of a model for suggestions', () => {
  it('is passed only by the name that stands after the caret', async () => {
    for (const text of ['breadth', ' breadth\n', 'breadth) {\n  return width * breadth;\n}']) {
      assert.equal(await reasonOf(answering(text)), undefined, text);
    }
    for (const text of [
      'height',
      'breadth is missing.',
      'The parameter is `breadth`',
      '```js\nbreadth\n```',
    ]) {
      assert.match((await reasonOf(answering(text))) ?? '', /doesn't fit between the code/, text);
    }
    assert.match((await reasonOf(answering(' \n'))) ?? '', /returned no text/);
  });

  it('says why a server refuses and what to do', async () => {
    const refused = (why: string) => reasonOf(failing('request', 'Refused.', { why, status: 400 }));
    assert.match((await refused('suffix is not currently supported')) ?? '', /doesn't accept the code after/);
    assert.match((await refused('Extra inputs are not permitted')) ?? '', /doesn't accept the code after/);
    assert.match((await refused('This is a chat model and not supported')) ?? '', /for chat only/);
    assert.match((await reasonOf(failing('wrong-address', 'No.'))) ?? '', /doesn't offer code completion/);
    assert.equal(await refused('Other.'), 'Refused. Server response: Other.');
  });

  it('may ask about the budget, as the user started it', async () => {
    let isUnasked: boolean | undefined;
    await testSuggestions(
      async (_code, _signal, unasked) => {
        isUnasked = unasked;
        return { text: '', isCut: false };
      },
      'm',
      never,
    );
    assert.equal(isUnasked, false);
  });

  it('has no verdict when cancelled', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(testSuggestions(failing('cancelled', 'Stopped.'), 'm', signal));
  });
});
