import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashOfDsl } from '../../src/flows/flowState.ts';
import { writeLinks } from '../../src/flows/sync/flowLinks.ts';
import { screenshot } from '../host/screen.ts';
import { openFile, openWorkbench } from '../host/workbench.ts';
import { flowText } from '../support/flowText.ts';
import { setUpStage, type Stage, usual, useStage } from './support.ts';

describe('workflows as files', () => {
  let stage: Stage;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
    },
  );

  it('show their problems and states in a window where nothing of Switchboard was used', async () => {
    const text = flowText().replace('target: end', 'target: gone');
    const hash = hashOfDsl(flowText());
    const link = { path: 'mine.yml', server: 'https://dify.example.com', workspaceId: 'w', appId: 'a' };
    await mkdir(join(stage.workspace, '.switchboard'), { recursive: true });
    await writeFile(
      join(stage.workspace, '.switchboard', 'flows.json'),
      writeLinks([{ ...link, synced: { file: hash, platform: hash } }]),
    );
    await writeFile(join(stage.workspace, 'mine.yml'), text);
    await writeFile(join(stage.workspace, 'loose.yml'), text);
    const page = await openWorkbench(stage.browser, stage.editor, stage.workspace);
    await openFile(page, 'loose.yml');
    await page.locator('.squiggly-error').first().waitFor();
    await page.keyboard.press('Control+Shift+E');
    await page.locator('.explorer-folders-view [aria-label*="Changed here"]').first().waitFor();
    await screenshot(page, 'flow-problems');
  });
});
