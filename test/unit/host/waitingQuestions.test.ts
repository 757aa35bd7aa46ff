import assert from 'node:assert/strict';
import { askAccess } from '../../../src/host/knowledgeServer/askAccess.ts';
import { askBudget } from '../../../src/host/window/createMeter.ts';
import { PanelNotices } from '../../../src/panel/panelNotices.ts';

describe('a question that something waits for', () => {
  let notices: PanelNotices;
  const inPanel = { notify: (...given: Parameters<PanelNotices['show']>) => notices.show(...given) };
  const { signal } = new AbortController();
  const budget = () => askBudget(inPanel, { type: 'tokens', limit: 10, spent: 4, next: 9 }, signal);
  const access = () => {
    const caller = { configuration: 'c', selfName: 'Claude', folder: '' };
    const wish = { type: 'list', server: 'https://platform.example' } as const;
    return askAccess(inPanel, { caller, configured: undefined, wish }, signal);
  };
  beforeEach(() => (notices = new PanelNotices()));

  const press = (action?: string) => notices.answer(notices.all.at(-1)?.id ?? '', action);

  for (const [name, ask] of Object.entries({ budget, access })) {
    it(`stays in front of what is said after it: ${name}`, () => {
      void ask();
      const question = notices.all.at(-1);
      for (const text of ['One', 'Two', 'Three', 'Four'])
        void notices.show({ severity: 'error', text, actions: ['Show Log'] });
      assert.equal(notices.all.at(-1), question);
    });
  }

  it('is answered by its own buttons, and by going away', async () => {
    const answers = [];
    for (const action of ['Continue Once', 'Continue Today', 'Stop', undefined]) {
      const answer = budget();
      press(action);
      answers.push(await answer);
    }
    for (const action of ['Once', 'Deny', 'Allow in This Workspace', undefined]) {
      const answer = access();
      press(action);
      answers.push(await answer);
    }
    const ofBudget = ['once', 'today', 'stop', 'stop'];
    assert.deepEqual(answers, [...ofBudget, 'once', 'deny', undefined, undefined]);
  });
});
