import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSmallTalk, searchQuery } from '../../../../src/chat/grounding/searchQuery.ts';

const earlier = {
  subject: 'How high is the sill at the marina?',
  cited: [{ documentName: 'app\u2215docs\u2215heights.md', content: '# What the heights mean\n\nMetres.' }],
};
const about = 'high sill marina heights';

describe('what is searched for', () => {
  const cases: [question: string, query: string][] = [
    // Questions that stand alone.
    ['When does the lock open?', 'When does the lock open?'],
    ['Opening hours?', 'Opening hours?'],
    ['heights.md', 'heights.md'],
    ['How do I install the command line, and which port does it use?', ''],
    ['港口的开放时间是什么？', ''],
    ['And which script turns the tables of the harbour master into JSON?', ''],
    // Follow-ups, which need the previous turn.
    ['And the other one?', about],
    ['Why is that?', about],
    ['How much does it cost?', `cost ${about}`],
    ['What about strong winds?', `strong winds ${about}`],
    ['Which channel?', `channel ${about}`],
    ['那冬天呢？', `冬天 ${about}`],
    ['为什么？', about],
    ['它多高？', ''],
  ];
  for (const [question, query] of cases) {
    if (question === '它多高？') {
      it(`${question} goes with the turn before`, () =>
        assert.ok(searchQuery(question, earlier).endsWith(about)));
      continue;
    }
    it(`${question} is searched as ${query || 'it is'}`, () =>
      assert.equal(searchQuery(question, earlier), query || question));
  }

  it('is the question as it is where nothing was said before', () => {
    assert.equal(searchQuery('And the other\none?', undefined), 'And the other one?');
  });

  it('is the question in a long message, not what was pasted with it', () => {
    const log = 'at Object.start (main.js:1)\n'.repeat(40);
    const query = searchQuery(
      `I ran it. ${'It did so. '.repeat(30)}What does E12 mean?\n\n\`\`\`\n${log}\`\`\``,
      undefined,
    );
    assert.match(query, /^What does E12 mean\?/);
  });

  it('is never longer than a platform takes, never empty, and always the same', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 600 });
    fc.assert(
      fc.property(text, text, text, (question, subject, content) => {
        fc.pre(question.trim() !== '');
        const turn = { subject, cited: [{ documentName: subject, content }] };
        const query = searchQuery(question, turn);
        assert.ok(Array.from(query).length <= 250);
        assert.notEqual(query.trim(), '');
        assert.equal(searchQuery(question, turn), query);
      }),
    );
  });
});

describe('small talk', () => {
  for (const text of [
    ...['thanks', 'Hello!', 'Ok great, thank you very much!', 'good morning', 'bye', '👍', '...', 'merci'],
    ...['谢谢你！', '你好', '好的，明白了', '没问题', '嗯嗯', '再见'],
  ]) {
    it(`is ${text}`, () => assert.ok(isSmallTalk(text)));
  }
  for (const text of [
    ...[
      'Thanks, and when does the lock open?',
      'good harbours',
      'Is fuel sold?',
      'why?',
      'what',
      'sill',
      '42',
    ],
    ...['谢谢，港口几点开门？', '好的码头在哪里', '为什么', '潮汐'],
  ]) {
    it(`is not ${text}`, () => assert.ok(!isSmallTalk(text)));
  }
});
