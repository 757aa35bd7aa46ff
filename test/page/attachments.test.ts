import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ToHost } from '../../src/shared/protocol.ts';
import type { ToldChip } from '../../src/shared/context.ts';
import type { Entry } from '../../src/shared/transcript.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import type { PanelPage } from './support/panelPage.ts';
import { useBrowser } from './support/browserSuite.ts';
import { chip, mentionOptions, richChips, user } from './support/states.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('attachments', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
    await panel.show();
  });
  const list = () => panel.page.getByRole('list', { name: 'Attachments' });
  const mentions = () => panel.page.getByRole('listbox', { name: 'Mentions' });
  const value = () => panel.messageBox.inputValue();
  const active = () => panel.messageBox.getAttribute('aria-activedescendant');
  const isFocused = (locator: Locator) =>
    eventuallyEqual(() => locator.evaluate((element) => element === document.activeElement), true);
  /** The count once everything typed has been handled. */
  const countAtRest = async (type: ToHost['type']) => {
    await panel.frame();
    return (await panel.posts(type)).length;
  };

  it('say that secrets are redacted, and send them when the user says so', async () => {
    const redacted = chip('c1', { label: 'a.ts', notes: ['1 secret redacted'], isRedacted: true });
    await panel.say({ type: 'attachmentsChanged', attachments: [redacted, chip('c2', { label: 'b.ts' })] });
    await list().getByText('1 secret redacted').waitFor();
    await list().getByRole('button', { name: 'Send a.ts unredacted' }).click();
    assert.equal((await panel.posted('releaseSecrets')).id, redacted.id);
    assert.equal(await list().getByRole('button', { name: 'Send b.ts unredacted' }).count(), 0);
  });

  describe('typing @', () => {
    it('offers what the host finds, and attaches the choice with the keyboard alone', async () => {
      await panel.findMentions('Compare @');
      await eventuallyEqual(() => mentions().getByRole('option').count(), mentionOptions.length);
      await panel.messageBox.press('ArrowDown');
      await eventuallyEqual(active, 'mention-1.1');
      await panel.page.locator('[id="mention-1.1"][aria-selected=true]').waitFor();
      await panel.messageBox.press('Enter');
      assert.equal((await panel.posted('attachMention')).optionId, '1.1');
      await eventuallyEqual(value, 'Compare @tides.ts ');
      await mentions().waitFor({ state: 'detached' });
      assert.equal(await countAtRest('sendMessage'), 0);
      await panel.messageBox.pressSequentially('with it');
      await eventuallyEqual(value, 'Compare @tides.ts with it');
    });

    it('goes round the list, takes Tab and the mouse, and keeps the focus in the box', async () => {
      await panel.findMentions('@');
      await panel.messageBox.press('ArrowUp');
      await eventuallyEqual(active, 'mention-1.7');
      await panel.messageBox.press('Tab');
      assert.equal((await panel.posted('attachMention')).optionId, '1.7');
      await eventuallyEqual(value, '@.env ');
      await isFocused(panel.messageBox);
      await panel.findMentions('@');
      await mentions().getByRole('option', { name: 'README.md' }).click();
      await eventuallyEqual(
        async () => (await panel.posts('attachMention')).map(({ optionId }) => optionId),
        ['1.7', '1.5'],
      );
      await isFocused(panel.messageBox);
      await eventuallyEqual(value, '@.env @README.md ');
    });

    it('works in the middle of a text and leaves what follows as it is', async () => {
      await panel.messageBox.fill('Compare  with that');
      await panel.messageBox.evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(8, 8));
      await panel.findMentions('@REA');
      await mentions().getByRole('option', { name: 'README.md' }).click();
      await eventuallyEqual(value, 'Compare @README.md with that');
    });

    it('closes with Escape, which then does not stop the turn, and stays closed for this @', async () => {
      await panel.say({ type: 'statusChanged', status: { type: 'answering' } });
      await panel.findMentions('@');
      await mentions().waitFor();
      await panel.messageBox.press('Escape');
      await mentions().waitFor({ state: 'detached' });
      assert.equal(await countAtRest('stopTurn'), 0);
      await panel.messageBox.pressSequentially('rea');
      await eventuallyEqual(value, '@rea');
      assert.equal(await countAtRest('findMentions'), 1);
      await panel.messageBox.pressSequentially(' @');
      await eventuallyEqual(() => countAtRest('findMentions'), 2);
    });

    it('is gone while the box has no focus, and there again with it', async () => {
      await panel.findMentions('@rea');
      await mentions().waitFor();
      await panel.messageBox.blur();
      await mentions().waitFor({ state: 'detached' });
      await panel.messageBox.focus();
      await eventuallyEqual(() => countAtRest('findMentions'), 5);
      await panel.messageBox.press('Escape');
      await panel.messageBox.blur();
      await panel.messageBox.focus();
      assert.equal(await countAtRest('findMentions'), 5);
    });

    it('waits for the answer when Enter comes first, and sends when there is nothing to choose', async () => {
      const requestId = await panel.typeMention('Read @READ');
      await panel.messageBox.press('Enter');
      await panel.say({ type: 'mentionsFound', requestId, options: [], isComplete: false });
      await panel.say({
        type: 'mentionsFound',
        requestId,
        options: mentionOptions.slice(5, 6),
        isComplete: false,
      });
      await eventuallyEqual(value, 'Read @README.md ');
      assert.equal(await countAtRest('sendMessage'), 0);
      const last = await panel.typeMention('@nobody');
      await panel.messageBox.press('Enter');
      await panel.say({ type: 'mentionsFound', requestId: last, options: [], isComplete: true });
      assert.equal((await panel.posted('sendMessage')).text, 'Read @README.md @nobody');
    });

    for (const [sign, type] of [
      ['@', 'findMentions'],
      ['/', 'findPrompts'],
    ] as const) {
      it(`takes what is typed after Enter for what follows the option: ${sign}`, async () => {
        const options = [{ id: '1.0', kind: 'file' as const, label: 'berlin.md' }];
        await panel.messageBox.pressSequentially(`${sign}ber`);
        await panel.messageBox.press('Enter');
        await panel.messageBox.pressSequentially('hello');
        await eventuallyEqual(value, `${sign}berhello`);
        const requestId = (await panel.posts(type)).at(-1)?.requestId ?? 0;
        assert.equal((await panel.posts(type)).at(-1)?.query, 'ber');
        await panel.say({ type: 'mentionsFound', requestId, options, isComplete: true });
        await eventuallyEqual(value, `${sign}berlin.md hello`);
        await panel.messageBox.pressSequentially('!');
        await eventuallyEqual(value, `${sign}berlin.md hello!`);
        assert.equal(await countAtRest('sendMessage'), 0);
      });
    }

    it('sends nothing that was typed after Enter, where there is no option', async () => {
      const requestId = await panel.typeMention('@nobody');
      await panel.messageBox.press('Enter');
      await panel.messageBox.pressSequentially('x');
      await eventuallyEqual(value, '@nobodyx');
      await panel.say({ type: 'mentionsFound', requestId, options: [], isComplete: true });
      await eventuallyEqual(async () => (await panel.posts('findMentions')).at(-1)?.query, 'nobodyx');
      assert.equal(await countAtRest('sendMessage'), 0);
    });

    it('lists symbols after #, and names the one that is chosen', async () => {
      await panel.messageBox.pressSequentially('Why is #high');
      await eventuallyEqual(async () => (await panel.posts('findMentions')).at(-1)?.query, '#high');
      const requestId = (await panel.posts('findMentions')).at(-1)?.requestId ?? 0;
      const options = [{ id: '1.6', kind: 'symbol' as const, label: 'highWaterAt' }];
      await panel.say({ type: 'mentionsFound', requestId, options, isComplete: true });
      await mentions().getByRole('option', { name: 'highWaterAt' }).waitFor();
      await panel.messageBox.press('Enter');
      assert.equal((await panel.posted('attachMention')).optionId, '1.6');
      await eventuallyEqual(value, 'Why is #highWaterAt ');
    });

    for (const text of ['# Title', '#', '#12', 'C#sharp', 'https://example.com/#top']) {
      it(`takes ${text} for no symbol`, async () => {
        await panel.messageBox.fill(text);
        await eventuallyEqual(value, text);
        assert.equal(await countAtRest('findMentions'), 0);
      });
    }

    it('shows nothing of an older query', async () => {
      const older = await panel.typeMention('@');
      const newer = await panel.typeMention('a', 'a');
      const found = { type: 'mentionsFound', options: mentionOptions, isComplete: true } as const;
      await panel.say({ ...found, requestId: older });
      assert.equal(await mentions().count(), 0);
      await panel.say({ ...found, requestId: newer });
      await mentions().waitFor();
    });

    for (const text of ['me@example.com', 'josé@example.com', 'a.b+c@x', '1@2']) {
      it(`takes ${text} for an address`, async () => {
        await panel.messageBox.pressSequentially(text);
        await eventuallyEqual(value, text);
        assert.equal(await countAtRest('findMentions'), 0);
      });
    }

    for (const [text, query] of [
      ['请看@README', 'README'],
      ['(@src/a', 'src/a'],
      ['＠文档', '文档'],
      ['line\n@#tide', '#tide'],
    ] as const) {
      it(`takes ${JSON.stringify(text)} for a mention`, async () => {
        await panel.messageBox.fill(text);
        await eventuallyEqual(async () => (await panel.posts('findMentions')).at(-1)?.query, query);
      });
    }
  });

  describe('chips', () => {
    it('say what goes with the message, how large it is and what is wrong with it', async () => {
      await panel.show({ attachments: richChips });
      const items = list().getByRole('listitem');
      await eventuallyEqual(() => items.count(), richChips.length);
      const says = (at: number, words: RegExp) =>
        eventually(async () => assert.match(await items.nth(at).innerText(), words));
      await says(1, /tides\.ts[\s\S]*lines 3–9\s*· 240 B\s*· about 60 tokens/);
      await says(2, /The rest isn't sent/);
      await says(4, /Not sent: "\.env" is an environment file/);
    });

    it('are removed with the mouse or the keyboard, and the focus goes on to the next', async () => {
      await panel.show({ attachments: richChips.slice(0, 3) });
      await panel.button('Remove tides.ts').focus();
      await panel.page.keyboard.press('Delete');
      assert.equal((await panel.posted('removeAttachment')).id, 'c2');
      await panel.say({ type: 'attachmentsChanged', attachments: [richChips[0]!, richChips[2]!] });
      await isFocused(panel.button('Remove generated-client.ts'));
      const removed = async () => (await panel.posts('removeAttachment')).map(({ id }) => id);
      await panel.page.keyboard.press('Enter');
      await eventuallyEqual(removed, ['c2', 'c3']);
      await panel.say({ type: 'attachmentsChanged', attachments: [richChips[0]!] });
      await isFocused(panel.button('Remove README.md'));
      await panel.button('Remove README.md').click();
      await eventuallyEqual(removed, ['c2', 'c3', 'c1']);
      await panel.say({ type: 'attachmentsChanged', attachments: [] });
      await list().waitFor({ state: 'detached' });
      await isFocused(panel.messageBox);
    });

    it('open where they come from', async () => {
      await panel.show({ attachments: richChips });
      await panel.button('README.md').click();
      assert.deepEqual((await panel.posted('openLocation')).location, { path: 'README.md' });
    });

    it('are shown with the message they went with', async () => {
      await panel.show({ entries: [{ ...user('1', 'Look'), attachments: richChips } as never] });
      const entry = panel.entry('You');
      await eventuallyEqual(() => entry.getByRole('listitem').count(), richChips.length);
      assert.equal(await entry.getByRole('button', { name: /^Remove/ }).count(), 0);
    });

    it('share rows with those of the context and the knowledge, and say all in a tooltip', async () => {
      const told: ToldChip = {
        ...{ id: 't1', kind: 'activeEditor', label: 'departures.ts', detail: 'lines 3–9', isOn: true },
        location: { path: 'src/departures.ts' },
      };
      for (const width of [225, 290, 400]) {
        await panel.resize({ width });
        await panel.show({
          attachments: richChips.slice(0, 2),
          knowledge: { isConnected: true, chosen: [{ id: 'k1', name: 'Tides' }] },
        });
        await panel.say({ type: 'toldChanged', told: [told] });
        const rows = () =>
          panel.page.locator('.composer-chips .chip').evaluateAll((all) => {
            const tops = all.map((each) => Math.round(each.getBoundingClientRect().top));
            return { chips: tops.length, rows: new Set(tops).size };
          });
        await eventuallyEqual(rows, { chips: 4, rows: 2 });
      }
      const tooltip = list().getByText('tides.ts').getAttribute('title');
      assert.equal(await tooltip, 'tides.ts · lines 3–9 · 240 B · about 60 tokens');
    });

    it('has the row to itself when it is the last, and shows its whole name there', async () => {
      await panel.resize({ width: 225 });
      const label = 'departures.ts';
      await panel.show({ attachments: ['c1', 'c2', 'c3'].map((id) => chip(id, { label })) });
      const isCut = () =>
        list()
          .getByText(label)
          .evaluateAll((all) => all.map((each) => each.scrollWidth > each.clientWidth));
      await eventuallyEqual(isCut, [true, true, false]);
    });

    it('can be a message by themselves, unless nothing of them can be sent', async () => {
      await panel.show({ attachments: [richChips[4]!] });
      await list().waitFor();
      assert.equal(await panel.button('Send').isDisabled(), true);
      await panel.show({ attachments: [richChips[0]!] });
      await panel.button('Send').click();
      assert.equal((await panel.posted('sendMessage')).text, '');
    });

    it('can hold the message back, which then can be sent again', async () => {
      await panel.show({ attachments: [richChips[0]!] });
      await panel.messageBox.fill('Look');
      await panel.messageBox.press('Enter');
      await panel.posted('sendMessage');
      await panel.say(
        { type: 'attachmentsChanged', attachments: [chip('c1', { problem: '"README.md" doesn\'t exist.' })] },
        { type: 'messageHeld' },
      );
      await list().getByText("doesn't exist").waitFor();
      assert.equal(await value(), 'Look');
      await panel.messageBox.press('Enter');
      await eventuallyEqual(() => countAtRest('sendMessage'), 2);
    });

    it('are told to those who listen', async () => {
      await panel.say({ type: 'attachmentsChanged', attachments: [richChips[4]!] });
      await panel.page.getByText('.env cannot be sent: ".env" is an environment file').waitFor();
    });
  });

  describe('by hand', () => {
    const paste = (parts: { text?: string; image?: boolean }) =>
      panel.messageBox.evaluate(
        (box, { text, image, data }) => {
          const transfer = new DataTransfer();
          if (text) transfer.setData('text/plain', text);
          if (image) {
            const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
            transfer.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
          }
          const event = new ClipboardEvent('paste', {
            clipboardData: transfer,
            bubbles: true,
            cancelable: true,
          });
          if (!box.dispatchEvent(event)) return true;
          (box as HTMLTextAreaElement).setRangeText(text ?? '', 0, 0, 'end');
          box.dispatchEvent(new InputEvent('input', { bubbles: true }));
          return false;
        },
        { ...parts, data: pixel },
      );

    const drag = (kind: string, texts: Record<string, string>, names: string[] = []) =>
      panel.page.evaluate(
        ({ type, entries, files }) => {
          const dataTransfer = new DataTransfer();
          for (const [format, text] of Object.entries(entries)) dataTransfer.setData(format, text);
          for (const name of files) dataTransfer.items.add(new File(['x'], name, { type: 'text/plain' }));
          const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
          return !document.body.dispatchEvent(event);
        },
        { type: kind, entries: texts, files: names },
      );

    it('asks the host for its file picker', async () => {
      await panel.button('Attach').click();
      await panel.posted('attachFiles');
    });

    it('takes what is dropped from the explorer, and says that it would', async () => {
      const uris = { 'application/vnd.code.uri-list': 'file:///work/a.ts\r\nfile:///work/b.ts' };
      assert.equal(await drag('dragover', uris), true);
      await panel.page.getByText('Drop to attach').waitFor();
      await drag('drop', uris);
      assert.deepEqual(await panel.posted('attachUris'), {
        type: 'attachUris',
        uris: ['file:///work/a.ts', 'file:///work/b.ts'],
        unplaced: [],
      });
      await panel.page.getByText('Drop to attach').waitFor({ state: 'detached' });
    });

    it('names what is dropped without a place, and leaves text to the box', async () => {
      await drag('drop', {}, ['notes.txt']);
      assert.deepEqual((await panel.posted('attachUris')).unplaced, ['notes.txt']);
      assert.equal(await drag('dragover', { 'text/plain': 'some words' }), false);
    });

    it('takes a pasted image', async () => {
      assert.equal(await paste({ image: true }), true);
      const { name, mimeType, base64, bytes } = await panel.posted('attachImage');
      assert.deepEqual([name, mimeType, base64], ['image.png', 'image/png', pixel]);
      assert.equal(bytes, Buffer.from(pixel, 'base64').length);
    });

    it('takes the text where there is a text beside the image', async () => {
      assert.equal(await paste({ image: true, text: 'a table' }), false);
      await eventuallyEqual(value, 'a table');
      assert.equal(await countAtRest('attachImage'), 0);
    });

    it('offers to attach a long paste, and keeps it a text until then', async () => {
      const long = 'an error\n'.repeat(1000);
      await panel.messageBox.fill('Why?');
      await paste({ text: long });
      await eventuallyEqual(value, `${long}Why?`);
      const offer = panel.button('Attach Instead');
      await offer.waitFor();
      assert.equal(await countAtRest('attachText'), 0);
      await offer.click();
      assert.equal((await panel.posted('attachText')).text, long);
      await eventuallyEqual(value, 'Why?');
      await offer.waitFor({ state: 'detached' });
      await paste({ text: 'short' });
      await eventuallyEqual(value, 'shortWhy?');
      await panel.frame();
      assert.equal(await offer.count(), 0);
      assert.equal(await paste({ text: 'x'.repeat(500_001) }), true);
      await eventuallyEqual(async () => (await panel.posts('attachText')).at(-1)?.text.length, 500_001);
      assert.equal(await paste({ text: 'x'.repeat(2_000_001) }), true);
      await panel.page.getByRole('alert').getByText('2,000,001 characters are too many to paste').waitFor();
      assert.equal(await value(), 'shortWhy?');
    });

    it('offers to attach the page of a pasted address, which stays text until then', async () => {
      await panel.messageBox.fill('Why? ');
      await paste({ text: 'https://example.com/docs?v=1' });
      await panel.page.getByText('An address of example.com was pasted.').waitFor();
      assert.equal(await countAtRest('attachPage'), 0);
      await panel.button('Attach Page').click();
      assert.equal((await panel.posted('attachPage')).address, 'https://example.com/docs?v=1');
      await panel.page.getByText('An address of example.com was pasted.').waitFor({ state: 'detached' });
      assert.equal(await value(), 'https://example.com/docs?v=1Why? ');
      await isFocused(panel.messageBox);
      for (const text of ['http://example.com/', 'see https://example.com/', 'https://me:pw@example.com/']) {
        await paste({ text });
        await panel.frame();
        assert.equal(await panel.button('Attach Page').count(), 0, text);
      }
    });

    it('puts an attached text back into the message', async () => {
      await panel.show({ attachments: [richChips[5]!] });
      await panel.button('Insert Pasted text into the message').click();
      assert.equal((await panel.posted('unpackAttachment')).id, 'c6');
    });
  });

  it('says under the list that not all files are in it', async () => {
    const requestId = await panel.typeMention('@RE');
    const found = { type: 'mentionsFound', requestId, isComplete: true } as const;
    await panel.say({ ...found, options: mentionOptions, note: 'Only the first 20,000 are listed.' });
    await panel.page.getByText('Only the first 20,000 are listed.').waitFor();
    assert.equal(
      await panel.messageBox.evaluate(
        (box) => document.getElementById(box.getAttribute('aria-describedby') ?? '')?.textContent,
      ),
      'Only the first 20,000 are listed.',
    );
    await eventuallyEqual(() => mentions().getByRole('option').count(), mentionOptions.length);
    // Shown even if nothing was found: there may be such a file.
    await panel.say({ ...found, options: [], note: 'Only the first 20,000 are listed.' });
    await mentions().waitFor({ state: 'detached' });
    await panel.page.getByText('Only the first 20,000 are listed.').waitFor();
  });

  describe('that are images', () => {
    const image = chip('i1', { kind: 'image', label: 'pixel.png', size: '70 B' });
    const drawn = () => panel.page.locator('.thumbnail canvas:not([hidden])');
    const alpha = () =>
      drawn().evaluate(
        (canvas: HTMLCanvasElement) => canvas.getContext('2d')?.getImageData(32, 32, 1, 1).data[3],
      );
    const red =
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

    it('show a small picture, asked for once they are in view', async () => {
      await panel.show({ attachments: [image] });
      assert.equal((await panel.posted('loadPicture')).id, 'i1');
      assert.equal(await drawn().count(), 0);
      await panel.say({ type: 'pictureLoaded', picture: { id: 'i1', base64: red } });
      await drawn().waitFor();
      await eventuallyEqual(alpha, 255);
      await panel.show({ attachments: [image, chip('c2')] });
      await eventuallyEqual(alpha, 255);
      assert.equal(await countAtRest('loadPicture'), 1);
    });

    it('show one with a message that was sent, too', async () => {
      const sent: Entry = { type: 'user', id: '7', text: 'Look', attachments: [{ ...image, id: '7.0' }] };
      await panel.show({ entries: [sent] });
      assert.equal((await panel.posted('loadPicture')).id, '7.0');
      await panel.say({ type: 'pictureLoaded', picture: { id: '7.0', base64: red } });
      await eventuallyEqual(alpha, 255);
    });

    it('keep their icon when they are no picture after all, or not sent', async () => {
      await panel.show({ attachments: [image, { ...image, id: 'i2', problem: 'Too large.' }] });
      await panel.posted('loadPicture');
      await panel.say(
        { type: 'pictureLoaded', picture: { id: 'i1', base64: '!!' } },
        { type: 'pictureLoaded', picture: { id: 'i1', base64: pixel.slice(0, 40) } },
        { type: 'pictureLoaded', picture: { id: 'nobody', base64: red } },
      );
      assert.equal(await countAtRest('loadPicture'), 1);
      assert.equal(await drawn().count(), 0);
      await eventuallyEqual(() => list().locator('.codicon-file-media').count(), 1);
    });
  });
});
