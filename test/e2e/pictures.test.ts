import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { paintPicture } from '../servers/models/paintPicture.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

describe('pictures in answers', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-painter');
    },
  );

  const shown = (number: number) => panel.frame.getByRole('img', { name: `Picture ${number} of answer` });
  const colourOf = (number: number) =>
    shown(number)
      .last()
      .evaluate((canvas) =>
        [...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(4, 4, 1, 1).data ?? [])].join(),
      );

  const step = walk('are shown, opened and saved');

  step('are shown in the panel', async () => {
    await panel.send('Please paint 2 by images');
    await panel.settled();
    await eventuallyEqual(() => colourOf(2), '150,205,240,255');
    await screenshot(page, 'pictures-in-answer');
  });

  step('open in an editor', async () => {
    await panel.frame.getByRole('button', { name: 'Open', exact: true }).last().click();
    const tab = page.locator('.tabs-container').getByRole('tab', { name: /^[0-9a-f]{32}\.png/ });
    await tab.waitFor();
    // The editor's preview shows the size in its status bar.
    await page.locator('.statusbar').getByText('160x96').waitFor();
    await screenshot(page, 'picture-in-editor');
  });

  step('are saved where the user chooses', async () => {
    await panel.frame.getByRole('button', { name: 'Save…', exact: true }).first().click();
    const input = page.locator('.quick-input-widget input[type=text]');
    await input.waitFor();
    await eventuallyEqual(async () => (await input.inputValue()).endsWith('picture.png'), true);
    await input.press('Enter');
    const saved = () => readFile(join(stage.workspace, 'picture.png')).catch(() => undefined);
    await eventuallyEqual(async () => (await saved())?.equals(paintPicture(0)), true);
  });
});
