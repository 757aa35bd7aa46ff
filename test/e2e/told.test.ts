import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { screenshot } from '../host/screen.ts';
import { openFile, webviewOf } from '../host/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { type Panel, setUpStage, type Stage, usual, useStage } from './support.ts';
import { walk } from './walk.ts';

interface ChatBody {
  messages: { role: string; content: string }[];
  tools?: unknown[];
}

describe('what models are told', () => {
  let stage: Stage;
  let page: Page;
  let panel: Panel;

  useStage(
    () => setUpStage(usual),
    async (fresh) => {
      stage = fresh;
      await writeFile(join(stage.workspace, 'AGENTS.md'), 'Speak of harbours as havens.\n');
      await mkdir(join(stage.workspace, '.github', 'instructions'), { recursive: true });
      await writeFile(
        join(stage.workspace, '.github', 'instructions', 'typescript.instructions.md'),
        '---\napplyTo: "**/*.ts"\n---\nName every type.\n',
      );
      ({ page, panel } = await stage.open());
      await panel.selectModel('scripted-tools');
    },
  );

  const bodies = () =>
    stage.sandbox.relay.requests
      .filter(({ path }) => path === '/v1/chat/completions')
      .map(({ json }) => json as ChatBody);
  const context = () => panel.frame.getByRole('list', { name: 'Context' });

  const step = walk('is shown, left out by its chip, and read in a document');

  step('is who they are, the rules of the project, and where the user is', async () => {
    await openFile(page, 'src/tides.ts');
    await context().getByRole('button', { name: 'tides.ts', exact: true }).waitFor();
    await panel.messageBox.fill('Read');
    await context().getByText('AGENTS.md', { exact: true }).waitFor();
    await panel.send('Read src/tides.ts');
    await panel.settled();
    const [first, second] = bodies();
    assert.match(first?.messages[0]?.content ?? '', /^You are Switchboard[^]*Speak of harbours as havens\./);
    assert.match(
      first?.messages[1]?.content ?? '',
      /^<context-(\w+)>\nDate: \d{4}-\d\d-\d\d\nSystem: \w+[^]*Active file: src\/tides\.ts[^]*<\/context-\1>\n\nRead/,
    );
    assert.match(second?.messages.at(-1)?.content ?? '', /Name every type\.\n<\/instructions-\w+>$/);
    assert.deepEqual(second?.messages.slice(0, 2), first?.messages);
    await context().getByText('AGENTS.md', { exact: true }).waitFor();
    await screenshot(page, 'told-chips');
  });

  step('is left out by its chip', async () => {
    await panel.button('Exclude AGENTS.md').click();
    await panel.button('Exclude tides.ts').click();
    await panel.button('Include tides.ts').waitFor();
    await panel.send('And now?');
    await panel.settled();
    const last = bodies().at(-1)?.messages ?? [];
    assert.doesNotMatch(last[0]?.content ?? '', /havens/);
    assert.doesNotMatch(last.at(-1)?.content ?? '', /Active file/);
    await panel.button('Include AGENTS.md').click();
    await panel.button('Exclude AGENTS.md').waitFor();
  });

  step('is shown as a page that folds, and word for word as JSON', async () => {
    await panel.button('View Request').last().click();
    await page.getByRole('tab', { name: /Preview Request/ }).waitFor();
    const preview = webviewOf(page, 'vscode.markdown-language-features');
    await preview.getByRole('heading', { name: 'System prompt' }).waitFor();
    await preview.getByText('And now?').waitFor();
    await preview.getByText('You are Switchboard', { exact: false }).waitFor({ state: 'hidden' });
    await preview.getByText(/^Switchboard about/).click();
    await preview.getByText('You are Switchboard', { exact: false }).waitFor();
    await screenshot(page, 'told-request');
    await preview.getByRole('link', { name: 'Show as JSON' }).click();
    await page.getByRole('tab', { name: /Request\.json/ }).waitFor();
    const lines = page.locator('.editor-instance .view-lines').last();
    await eventually(async () => assert.match(await lines.innerText(), /"model":.*scripted-tools/));
    await screenshot(page, 'told-json');
    await eventuallyEqual(() => page.locator('.tab.dirty').count(), 0);
  });
});
