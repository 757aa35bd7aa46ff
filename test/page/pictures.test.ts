import assert from 'node:assert/strict';
import type { AnswerPicture } from '../../src/shared/pictures.ts';
import type { Entry } from '../../src/shared/transcript.ts';
import { paintPicture } from '../servers/models/paintPicture.ts';
import { axeViolations } from '../support/axe.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import { answer, user } from './support/states.ts';

const picture = (number: number): AnswerPicture => ({
  ...{ file: `${String(number).repeat(32)}.png`, detail: 'PNG, 1.2 KB', width: 160, height: 96 },
});
const base64Of = (number: number) => paintPicture(number).toString('base64');

describe('pictures in answers', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });

  const painted = (pictures: AnswerPicture[], text = 'Here:'): Entry[] => [
    user('u', 'Paint'),
    { ...(answer('a', text) as Extract<Entry, { type: 'assistant' }>), pictures, end: {} },
  ];
  const shown = (number: number) => panel.page.getByRole('img', { name: `Picture ${number} of answer` });
  const buttons = (number: number) =>
    panel.page.getByRole('group', { name: `Picture ${number} of answer` }).getByRole('button');
  const colourOf = (number: number) =>
    shown(number).evaluate((canvas) =>
      [...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(4, 4, 1, 1).data ?? [])].join(),
    );
  const sky = '150,205,240,255';

  it('are shown as they come, asked for once they are in view, and keep their room', async () => {
    await panel.show({ entries: [user('u', 'Paint'), answer('a', 'Here:')] });
    // Less room than the picture has pixels, as on a dense screen.
    const pictures = [{ ...picture(1), width: 80, height: 48 }];
    await panel.say({ type: 'answerPicturesChanged', id: 'a', pictures });
    await shown(1).waitFor();
    const before = await shown(1).boundingBox();
    const { id, file } = await panel.posted('loadAnswerPicture');
    assert.deepEqual([id, file], ['a', picture(1).file]);
    await panel.say({ type: 'answerPictureLoaded', file, base64: base64Of(1) });
    await eventuallyEqual(() => colourOf(1), sky);
    assert.deepEqual(await shown(1).boundingBox(), before);
    assert.deepEqual([before?.width, before?.height], [80, 48]);
    // The script draws them: the page's policy allows no other source for pictures.
    assert.deepEqual(await panel.page.evaluate(() => window.violations), []);
    assert.deepEqual(await axeViolations(panel.page.locator('.entries')), []);
  });

  it('are opened and saved by their buttons, each by its own', async () => {
    await panel.show({ entries: painted([picture(1), picture(2)]) });
    await shown(2).waitFor();
    assert.deepEqual(await buttons(2).allTextContents(), ['Open', 'Save…']);
    await buttons(2).filter({ hasText: 'Open' }).click();
    const opened = await panel.posted('openAnswerPicture');
    await buttons(1).filter({ hasText: 'Save…' }).click();
    const saved = await panel.posted('saveAnswerPicture');
    assert.deepEqual([opened.id, opened.file], ['a', picture(2).file]);
    assert.deepEqual([saved.id, saved.file], ['a', picture(1).file]);
  });

  it('are loaded once, also where the conversation is shown anew', async () => {
    await panel.show({ entries: painted([picture(1)]) });
    await panel.posted('loadAnswerPicture');
    await panel.say({ type: 'answerPictureLoaded', file: picture(1).file, base64: base64Of(1) });
    await eventuallyEqual(() => colourOf(1), sky);
    await panel.show({ entries: painted([picture(1)]) });
    await eventuallyEqual(() => colourOf(1), sky);
    assert.equal((await panel.posts('loadAnswerPicture')).length, 1);
  });

  it('say where there is no preview, and can still be opened and saved', async () => {
    const { width: _width, height: _height, ...damaged } = picture(3);
    await panel.show({ entries: painted([picture(1), picture(2), damaged]) });
    await panel.posted('loadAnswerPicture');
    await panel.say(
      { type: 'answerPictureLoaded', file: picture(1).file },
      { type: 'answerPictureLoaded', file: picture(2).file, base64: '!!' },
    );
    await eventuallyEqual(() => panel.page.getByText('No preview').count(), 3);
    assert.equal(await panel.page.getByRole('button', { name: 'Open', exact: true }).count(), 3);
  });

  it('make an answer that is not empty', async () => {
    await panel.show({ entries: painted([picture(1)], '') });
    await shown(1).waitFor();
    assert.equal(await panel.page.getByText('The answer is empty.').count(), 0);
    const article = panel.page.getByRole('article', { name: 'Claude Sonnet 5' });
    assert.equal(await article.getByRole('button', { name: 'Copy', exact: true }).count(), 0);
  });

  it('are no wider than the panel', async () => {
    await panel.resize({ width: 260 });
    await panel.show({ entries: painted([{ ...picture(1), width: 4000, height: 1000 }]) });
    await shown(1).waitFor();
    const { width = 0, height = 0 } = (await shown(1).boundingBox()) ?? {};
    assert.ok(width > 100 && width < 260, String(width));
    assert.ok(Math.abs(width / height - 4) < 0.1, `${width} × ${height}`);
  });
});
