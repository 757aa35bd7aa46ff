import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { goodModels } from '../servers/models/goodModels.ts';
import { type ScriptedModel, stall } from '../servers/script/script.ts';
import { type Panel, setUpStage, type Stage, useStage } from './support.ts';
import { walk } from './walk.ts';

const reasoner = goodModels.find(({ id }) => id === 'scripted-reasoner')!;

/** Never finishes its answer to the first probe with tools, so that the check is cancelled then. */
const stallingReasoner: ScriptedModel = {
  ...reasoner,
  async *answer(request, context) {
    if (request.tools?.length) yield stall;
    yield* reasoner.answer(request, context);
  },
};

describe('checking a model', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage({ connected: true, sandbox: { models: [stallingReasoner] } }),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
    },
  );

  const dialog = () => page.locator('.monaco-dialog-box');
  const report = () => page.locator('.monaco-editor .view-lines').first();
  const asked = () => stage.sandbox.relay.requests.filter(({ method }) => method === 'POST');
  const startCheck = async () => {
    await panel.modelButton.click();
    await panel.frame.getByRole('searchbox', { name: 'Filter models' }).fill('scripted-reasoner');
    await panel.frame.getByRole('option', { name: 'scripted-reasoner', exact: true }).waitFor();
    await panel.button('Model Details: scripted-reasoner').click();
    await page.getByRole('option', { name: /Check Model…/ }).click();
    await dialog().getByText('Check scripted-reasoner?').waitFor();
  };

  const step = walk('asks before it sends anything, and reports what it found');

  step('says the most that it can cost, and sends nothing without consent', async () => {
    await startCheck();
    await dialog().getByText('8 requests at most, up to 6,000 tokens, price unknown.').waitFor();
    await screenshot(page, 'check-model-question');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(asked().length, 0);
  });

  step('keeps what was found when it is cancelled', async () => {
    await startCheck();
    await dialog().getByRole('button', { name: 'Check', exact: true }).click();
    await panel.frame.getByText('Checking scripted-reasoner: Tool calls').waitFor();
    await screenshot(page, 'check-model-progress');
    await panel.button('Cancel').click();
    await report().getByText('Not checked: the check was stopped.').first().waitFor();
    await panel.dismiss('The check was stopped. The report shows the results so far.');
    assert.ok(asked().length < 5);
    await page.keyboard.press('ControlOrMeta+F4');
  });
});
