import assert from 'node:assert/strict';
import type { ToldChip } from '../../src/shared/context.ts';
import { axeViolations } from '../support/axe.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';

const editor: ToldChip = {
  ...{ id: 'activeEditor', kind: 'activeEditor', label: 'a.ts', detail: 'lines 3–9', isOn: true },
  location: { path: 'src/a.ts', line: 3, endLine: 9 },
};
const rules: ToldChip = {
  ...{ id: 'AGENTS.md', kind: 'instructions', label: 'AGENTS.md', detail: 'about 120 tokens', isOn: true },
  location: { path: 'AGENTS.md' },
};

describe('what models are told, in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
    await panel.say({ type: 'toldChanged', told: [editor, rules] });
  });
  const list = () => panel.page.getByRole('list', { name: 'Context' });

  it('is a chip each, which opens, says its size, and is left out and taken in', async () => {
    await eventuallyEqual(() => list().getByRole('listitem').count(), 2);
    await list().getByText('about 120 tokens').waitFor();
    await panel.button('AGENTS.md').first().click();
    assert.deepEqual((await panel.posted('openLocation')).location, { path: 'AGENTS.md' });
    await panel.button('Exclude AGENTS.md').click();
    const { id, isOn } = await panel.posted('switchTold');
    assert.deepEqual([id, isOn], ['AGENTS.md', false]);
    await panel.say({ type: 'toldChanged', told: [editor, { ...rules, isOn: false }] });
    await list().getByText('excluded').waitFor();
    await panel.button('Include AGENTS.md').waitFor();
    assert.deepEqual(await axeViolations(panel.page.locator('#root')), []);
    await panel.say({ type: 'toldChanged', told: [] });
    await eventuallyEqual(() => list().count(), 0);
  });

  /** Metrics like those of Noto Sans CJK, DejaVu Sans and a taller font; the glyphs are the machine's. */
  const fonts = { low: [93, 24], CJK: [116, 29], high: [140, 50] };
  for (const [font, [ascent, descent]] of Object.entries(fonts)) {
    it(`shows the size whole or not at all, however narrow the panel is: ${font} font`, async () => {
      await panel.page.evaluate(
        async ([ascentOverride, descentOverride]) => {
          const metrics = { ascentOverride, descentOverride, lineGapOverride: '0%' };
          const face = new FontFace('measured', 'url(/page/codicon.ttf)', metrics);
          document.fonts.add(await face.load());
          document.documentElement.style.setProperty('--vscode-font-family', 'measured, sans-serif');
        },
        [`${ascent}%`, `${descent}%`],
      );
      await isWholeOrHidden();
    });
  }

  async function isWholeOrHidden(): Promise<void> {
    const seen = () =>
      list()
        .locator('.chip-facts')
        .last()
        .evaluate((facts) => {
          const range = document.createRange();
          range.selectNodeContents(facts);
          const lines = [...range.getClientRects()];
          const { top, bottom, right } = facts.getBoundingClientRect();
          const shown = lines.filter((line) => line.top < bottom && line.bottom > top);
          if (shown.length === 0) return 'nothing';
          return shown.length === lines.length && shown.every((line) => line.right <= right + 1)
            ? 'all'
            : 'a part';
        });
    const known = new Set<string>();
    for (let width = 130; width <= 530; width += 40) {
      await panel.page.setViewportSize({ width, height: 600 });
      known.add(await seen());
    }
    assert.deepEqual([...known], ['nothing', 'all']);
  }

  it('has the content of the active editor only when the user adds it', async () => {
    await panel.button('Add the selection').click();
    await panel.posted('attachActiveEditor');
  });
});
