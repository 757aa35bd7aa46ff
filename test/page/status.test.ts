import assert from 'node:assert/strict';
import type { Status } from '../../src/shared/transcript.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';

describe('the status line', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
  });
  const show = (status: Status) => panel.say({ type: 'statusChanged', status });
  /** What a screen reader is told. */
  const spoken = () =>
    panel.status.evaluate((element) => {
      const copy = element.cloneNode(true) as Element;
      for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
      return copy.textContent;
    });

  it('is empty when nothing runs', async () => {
    assert.equal(await panel.status.textContent(), '');
  });

  it('tells the states in words', async () => {
    await show({ type: 'connecting' });
    assert.equal(await panel.status.textContent(), 'Connecting…');
    await show({ type: 'answering' });
    assert.equal(await panel.status.textContent(), 'Answering…');
  });

  it('counts the seconds of waiting where screen readers do not hear them', async () => {
    await show({ type: 'waiting', sinceMs: Date.now() - 4200 });
    assert.equal(await panel.status.textContent(), 'Waiting for the first token…4 s');
    await panel.status.getByText('5 s').waitFor();
    assert.equal(await spoken(), 'Waiting for the first token…');
  });

  it('counts down to a retry and says why', async () => {
    await show({ type: 'retrying', untilMs: Date.now() + 7900, why: 'Too many requests.' });
    await panel.status.getByText('Retrying in 8 s: Too many requests.').waitFor();
    await panel.status.getByText('Retrying in 7 s: Too many requests.').waitFor();
    assert.equal(await spoken(), 'Retrying soon: Too many requests.');
  });

  it('has no timer when nothing is counted', async () => {
    await panel.page.addInitScript(() => {
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
    await panel.show({ status: { type: 'waiting', sinceMs: Date.now() } });
    const running = () =>
      panel.page.evaluate(() => (window as unknown as { running: Set<unknown> }).running.size);
    assert.equal(await running(), 1);
    await show({ type: 'answering' });
    assert.equal(await running(), 0);
    await show({ type: 'idle' });
    assert.equal(await running(), 0);
  });
});
