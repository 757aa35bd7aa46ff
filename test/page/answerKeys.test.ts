import assert from 'node:assert/strict';
import type { ToHost } from '../../src/shared/protocol.ts';
import type { ToolEntry } from '../../src/shared/tools.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { askedForm, askingEdit, user } from './support/states.ts';

declare global {
  interface Window {
    nowMs: number;
  }
}

const interpreter: ToolEntry = {
  ...askingEdit,
  question: { preview: askingEdit.question!.preview, why: 'An interpreter can run any code.' },
};

describe('keys for the question on screen', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  /** The clock of the page that the question's time is measured by. */
  const stopClock = () =>
    panel.page.evaluate(() => {
      window.nowMs = 1000;
      performance.now = () => window.nowMs;
    });
  const advance = (ms: number) => panel.page.evaluate((by) => void (window.nowMs += by), ms);
  const open = async (asking: ToolEntry = askingEdit, message = 'Go on') => {
    panel = await suite.open();
    await stopClock();
    await panel.show({ entries: [user('u', message), asking], status: { type: 'asking' } });
    await allow().waitFor();
  };
  const allow = () => panel.page.getByRole('button', { name: 'Allow', exact: true });
  const answers = () => panel.posts('answerTool');
  /** Presses a key as VS Code handles it: the page first, then the command that it is bound to. */
  const press = async (keys: string, decision: 'allow' | 'deny' = 'allow') => {
    await panel.page.keyboard.press(keys);
    await panel.say({ type: 'answerKeyPressed', decision });
  };
  /** Waits for the observer, which the question's time is counted from. */
  const read = async (ms = 500) => {
    await panel.frame();
    await panel.frame();
    await advance(ms);
  };
  const isInView = () =>
    allow().evaluate((button) => button.getBoundingClientRect().bottom < window.innerHeight);
  const active = () => panel.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  it('leave it alone behind a form, and until it was in view again after that', async () => {
    await open();
    await read();
    await panel.say({ type: 'formChanged', form: askedForm });
    await panel.page.getByRole('dialog').waitFor();
    await press('Control+Enter');
    await press('Control+Alt+Enter', 'deny');
    await panel.say({ type: 'formChanged' });
    await panel.page.getByRole('dialog').waitFor({ state: 'detached' });
    await press('Control+Enter');
    assert.deepEqual(await answers(), []);
    await read();
    await press('Control+Enter');
    await panel.posted('answerTool');
  });

  it('allow it from the message box, once it was in view for half a second', async () => {
    await open();
    await panel.messageBox.focus();
    await read(400);
    await press('Control+Enter');
    await advance(200);
    assert.deepEqual(await answers(), []);
    await press('Control+Enter');
    assert.deepEqual(
      (await answers()).map((each) => (each as ToHost & { decision: string }).decision),
      ['allow'],
    );
    await eventuallyEqual(active, 'Message');
  });

  it('send what is typed instead, and reach neither the editor nor the question', async () => {
    await open();
    await read();
    await panel.page.evaluate(() => {
      window.addEventListener('keydown', ({ key }) => (document.title += ` ${key}`));
    });
    await panel.messageBox.fill('Wait');
    await panel.page.keyboard.press('Control+Enter');
    assert.equal((await panel.posted('sendMessage')).text, 'Wait');
    assert.doesNotMatch(await panel.page.title(), /Enter/);
    await panel.messageBox.fill('More');
    await press('Control+Alt+x');
    assert.deepEqual(await answers(), []);
  });

  it('give a call that no rule may allow the focus first', async () => {
    await open(interpreter);
    await panel.messageBox.focus();
    await read();
    await press('Control+Enter');
    assert.deepEqual([await answers(), await active()], [[], 'Tool edit_file']);
    await press('Control+Enter');
    assert.equal((await answers()).length, 1);
  });

  it('unfold a long call, which then has to be read', async () => {
    const long: ToolEntry = { ...askingEdit, question: { ...askingEdit.question!, isFolded: true } };
    panel = await suite.open();
    await stopClock();
    await panel.show({ entries: [long], status: { type: 'asking' } });
    await panel.page.getByRole('button', { name: 'Show All' }).waitFor();
    await read();
    await press('Control+Enter');
    await panel.posted('unfoldTool');
    await panel.say({ type: 'entryChanged', entry: askingEdit });
    await allow().waitFor();
    await panel.frame();
    await press('Control+Enter');
    assert.deepEqual(await answers(), []);
    await read();
    await press('Control+Enter');
    assert.equal((await answers()).length, 1);
  });

  it('ask for the reason of a denial, also while a message is typed, and send it', async () => {
    await open();
    await panel.messageBox.fill('half a thought');
    await read();
    await press('Control+Alt+Enter', 'deny');
    await eventuallyEqual(active, 'Reason for denying');
    assert.deepEqual(await panel.posts('sendMessage'), []);
    await panel.page.keyboard.type('Not this file');
    await press('Control+Enter');
    assert.deepEqual(await answers(), []);
    await press('Control+Alt+Enter', 'deny');
    assert.equal((await panel.posted('answerTool')).reason, 'Not this file');
  });

  it('bring a question that is out of view into it, without an answer', async () => {
    await open(askingEdit, 'Go on\n'.repeat(60));
    await read();
    await panel.page.getByRole('button', { name: 'Show More' }).click();
    await panel.page.mouse.move(100, 100);
    await panel.page.mouse.wheel(0, -5000);
    await eventuallyEqual(isInView, false);
    await panel.frame();
    await panel.frame();
    await press('Control+Enter');
    assert.deepEqual(await answers(), []);
    await eventuallyEqual(isInView, true);
  });

  it('are for it while the page has the focus, and until it is answered', async () => {
    const told = async () => (await panel.posts('questionFocused')).map(({ hasFocus }) => hasFocus);
    await open();
    assert.deepEqual(await told(), [true]);
    await panel.page.evaluate(() => {
      window.dispatchEvent(new Event('blur'));
      window.dispatchEvent(new Event('focus'));
    });
    await panel.say({ type: 'entriesReplaced', from: 1, entries: [] });
    await eventuallyEqual(told, [true, false, true, false]);
  });

  it('stand at the buttons', async () => {
    await open();
    assert.equal(await allow().getAttribute('title'), 'Allow (Ctrl+Enter)');
    assert.equal(await allow().getAttribute('aria-keyshortcuts'), 'Ctrl+Enter');
  });
});
