import assert from 'node:assert/strict';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';

function setUp() {
  const notices = new PanelNotices();
  let changes = 0;
  notices.onDidChange(() => changes++);
  return {
    notices,
    texts: () => notices.all.map(({ text }) => text),
    changes: () => changes,
    idOf: (wanted: string) => notices.all.find(({ text }) => text === wanted)?.id ?? '',
  };
}

describe('PanelNotices', () => {
  it('resolves with the button that was pressed, and with nothing for one that it does not have', async () => {
    const { notices, idOf, texts, changes } = setUp();
    const first = notices.show({ severity: 'warning', text: 'One', actions: ['Retry', 'Show'] });
    const second = notices.show({ severity: 'warning', text: 'Two', actions: ['Retry'] });
    notices.answer(idOf('One'), 'Show');
    notices.answer(idOf('Two'), 'Delete Everything');
    assert.deepEqual([await first, await second], ['Show', undefined]);
    assert.deepEqual(texts(), []);
    assert.equal(changes(), 4);
    notices.answer('unknown');
    assert.equal(changes(), 4);
  });

  it('says the same once, and keeps three that need an action', async () => {
    const { notices, texts } = setUp();
    const show = (text: string) => notices.show({ severity: 'warning', text, actions: ['Retry'] });
    const first = show('One');
    void show('Two');
    void show('One');
    assert.equal(await first, undefined);
    assert.deepEqual(texts(), ['Two', 'One']);
    void show('Three');
    void notices.show({ severity: 'information', text: 'Added' });
    void show('Four');
    assert.deepEqual(texts(), ['One', 'Three', 'Added', 'Four']);
  });

  it('has news in the place of older news, but of no error', async () => {
    const { notices, texts } = setUp();
    const offer = notices.show({ severity: 'information', text: 'Deleted', actions: ['Undo'] });
    void notices.show({ severity: 'warning', text: 'Read-only' });
    assert.equal(await offer, undefined);
    void notices.show({ severity: 'error', text: 'Not saved' });
    assert.deepEqual(texts(), ['Not saved']);
    void notices.show({ severity: 'information', text: 'Added' });
    assert.deepEqual(texts(), ['Not saved', 'Added']);
    void notices.show({ severity: 'error', text: 'Still not saved' });
    assert.deepEqual(texts(), ['Still not saved']);
  });

  it('keeps what asks for a decision when the user goes on', async () => {
    const { notices, texts } = setUp();
    const told = notices.show({ severity: 'information', text: 'Added', actions: ['Open'] });
    void notices.show({ severity: 'warning', text: 'Read-only' });
    void notices.show({ severity: 'warning', text: '2 failed', actions: ['Retry'] });
    notices.clear();
    assert.equal(await told, undefined);
    assert.deepEqual(texts(), ['2 failed']);
  });

  it('keeps a question in front until it is answered, whatever is said or asked after it', async () => {
    const { notices, texts } = setUp();
    const ask = (text: string, severity: 'error' | 'information') =>
      notices.show({ severity, text, actions: ['Continue', 'Stop'], isQuestion: true });
    const budget = ask('Over budget', 'error');
    const same = ask('Over budget', 'error');
    const approval = ask('Needs approval', 'information');
    for (const text of ['One', 'Two', 'Three', 'Four'])
      void notices.show({ severity: 'error', text, actions: ['Retry'] });
    void notices.show({ severity: 'information', text: 'Added' });
    notices.clear();
    const questions = ['Needs approval', 'Over budget', 'Over budget'];
    assert.deepEqual(texts(), ['Two', 'Three', 'Four', ...questions]);
    notices.answer(notices.all.at(-1)?.id ?? '', 'Continue');
    assert.equal(await budget, 'Continue');
    notices.answer(notices.all.at(-1)?.id ?? '', 'Stop');
    assert.equal(await same, 'Stop');
    notices.answer(notices.all.at(-1)?.id ?? '');
    assert.equal(await approval, undefined);
    void ask('Over budget again', 'error');
    assert.deepEqual(texts(), ['Two', 'Three', 'Four', 'Over budget again']);
  });

  it('says how far something is until that has ended, and cancels it', () => {
    const { notices, texts, changes, idOf } = setUp();
    let cancelled = 0;
    const upload = notices.showProgress('Uploading', 'Cancel', () => cancelled++);
    upload.report('Uploading: 1 of 2');
    upload.report('Uploading: 1 of 2');
    assert.equal(changes(), 2, 'the same is said once');
    // Neither other notices nor the next message remove it.
    for (const text of ['One', 'Two', 'Three']) void notices.show({ severity: 'information', text });
    assert.deepEqual(texts(), ['Uploading: 1 of 2', 'Three']);
    notices.clear();
    assert.deepEqual(texts(), ['Uploading: 1 of 2']);
    notices.answer(idOf('Uploading: 1 of 2'), 'Cancel');
    assert.deepEqual([cancelled, texts()], [1, []]);
    upload.report('Uploading: 2 of 2');
    assert.deepEqual(texts(), [], 'what was dismissed does not come back');
    const other = notices.showProgress('Searching', 'Cancel', () => cancelled++);
    other.withdraw();
    assert.deepEqual([cancelled, texts()], [1, []]);
  });

  it('withdraws a notice that is not true any more', async () => {
    const { notices, texts } = setUp();
    const asking = new AbortController();
    const question = notices.show({
      ...{ severity: 'information', text: 'Needs approval', actions: ['Allow'], signal: asking.signal },
    });
    asking.abort();
    assert.equal(await question, undefined);
    assert.deepEqual(texts(), []);
  });
});
