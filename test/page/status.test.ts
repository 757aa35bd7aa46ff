import assert from 'node:assert/strict';
import type { Status } from '../../src/shared/transcript.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';

describe('the status line', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open({ hasMotion: true });
    await panel.show();
  });
  /** The page's clock is fixed; its timers run. */
  const nowMs = Date.UTC(2026, 0, 1);
  const setClock = (ms: number) => panel.spend().clock.setFixedTime(ms);
  const text = () => panel.status.textContent();
  const show = (status: Status) => panel.say({ type: 'statusChanged', status });
  const spoken = () =>
    panel.status.evaluate((element) => {
      const copy = element.cloneNode(true) as Element;
      for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
      return copy.textContent;
    });

  it('is empty when nothing runs', async () => {
    await eventuallyEqual(text, '');
  });

  it('tells the states in words', async () => {
    await show({ type: 'connecting' });
    await eventuallyEqual(text, 'Connecting…');
    await show({ type: 'answering' });
    await eventuallyEqual(text, 'Answering…');
    await show({ type: 'runningTools', readsInput: true });
    await eventuallyEqual(text, 'Running a command that reads input from its terminal…');
  });

  it('moves nothing where the editor is set to reduce motion', async () => {
    const moving = () => panel.page.evaluate(() => document.getAnimations().length);
    await show({ type: 'answering' });
    await eventuallyEqual(async () => (await moving()) > 0, true);
    await panel.page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    await eventuallyEqual(moving, 0);
  });

  it('counts the seconds of waiting where screen readers do not hear them', async () => {
    await setClock(nowMs);
    await show({ type: 'waiting', sinceMs: nowMs - 4200 });
    await eventuallyEqual(text, 'Waiting for the model…4 s');
    await setClock(nowMs + 1000);
    await eventuallyEqual(text, 'Waiting for the model…5 s');
    assert.equal(await spoken(), 'Waiting for the model…');
  });

  it('counts down to a retry and says why', async () => {
    await setClock(nowMs);
    await show({ type: 'retrying', untilMs: nowMs + 7900, why: 'Too many requests.' });
    await panel.status.getByText('Retrying in 8 s: Too many requests.').waitFor();
    await setClock(nowMs + 1000);
    await panel.status.getByText('Retrying in 7 s: Too many requests.').waitFor();
    assert.equal(await spoken(), 'Retrying soon: Too many requests.');
  });

  it('counts by the clock of the host, which may be on another computer', async () => {
    await setClock(nowMs);
    const hostMs = nowMs + 3_600_000;
    await panel.show({ nowMs: hostMs, status: { type: 'retrying', untilMs: hostMs + 8000, why: 'Busy.' } });
    await panel.status.getByText('Retrying in 8 s: Busy.').waitFor();
  });

  it('offers to stop waiting for a retry, and only then', async () => {
    await show({ type: 'retrying', untilMs: Date.now() + 60_000, why: 'Too many requests.' });
    await panel.button('Cancel').press('Enter');
    await panel.posted('stopTurn');
    await show({ type: 'answering' });
    await eventuallyEqual(() => panel.button('Cancel').count(), 0);
  });

  it('says what a platform does that sends only signs of life, with seconds that count', async () => {
    await setClock(nowMs);
    await show({ type: 'stalled', state: 'notStarted', sinceMs: nowMs - 15_000 });
    const said = "Not started yet: the platform's worker may be busy or down.";
    await eventuallyEqual(text, `${said}15 s`);
    await setClock(nowMs + 1000);
    await eventuallyEqual(text, `${said}16 s`);
    assert.equal(await spoken(), said);
    await show({ type: 'stalled', state: 'noAnswer', sinceMs: nowMs });
    await panel.status.getByText('no answer yet').waitFor();
    await show({ type: 'stalled', state: 'noNews', sinceMs: nowMs });
    await panel.status.getByText('the run may still be in progress').waitFor();
  });

  it('has no timer when nothing is counted', async () => {
    await panel.spend().addInitScript(() => {
      const original = window.setInterval.bind(window);
      const clear = window.clearInterval.bind(window);
      const running = new Set<unknown>();
      Object.assign(window, {
        running,
        setInterval: (run: () => void, ms: number) => {
          const id = original(run, ms);
          running.add(id);
          return id;
        },
        clearInterval: (id: number) => {
          running.delete(id);
          clear(id);
        },
      });
    });
    await panel.page.reload();
    await panel.posted('ready');
    await panel.show({ status: { type: 'waiting', sinceMs: Date.now() } });
    const running = () =>
      panel.page.evaluate(() => (window as unknown as { running: Set<unknown> }).running.size);
    await eventuallyEqual(running, 1);
    await show({ type: 'answering' });
    await eventuallyEqual(running, 0);
    await show({ type: 'idle' });
    await panel.frame();
    assert.equal(await running(), 0);
  });
});
