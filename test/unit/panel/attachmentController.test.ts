import assert from 'node:assert/strict';
import { ChatController } from '../../../src/chat/chatController.ts';
import { RelayCatalog } from '../../../src/chat/models/relayCatalog.ts';
import type { AttachmentChip } from '../../../src/shared/attachments.ts';
import type { ToPage } from '../../../src/shared/protocol.ts';
import type { MemoryEntry } from '../../support/memoryFiles.ts';
import { attachmentParts } from '../../support/attachmentParts.ts';
import { eventually } from '../../support/eventually.ts';
import { MemoryChatStore } from '../../support/memoryChatStore.ts';
import { chatDependencies } from '../../support/chatDependencies.ts';
import { panelMemory, panelParts, silentPanelHost } from '../../support/panelParts.ts';
import { scriptedModel } from '../../support/scriptedModel.ts';
import { toldParts } from '../../support/toldParts.ts';

const greeting: Parameters<typeof scriptedModel>[number] = [
  { type: 'requestSent' },
  { type: 'textAdded', text: 'Hi' },
  { type: 'modelFinished', reason: 'stop' },
];

async function setUp(entries: Record<string, MemoryEntry> = {}, ...scripts: (typeof greeting)[]) {
  const { streamModel, requests } = scriptedModel(...(scripts.length > 0 ? scripts : [greeting]));
  const listed = [
    { id: 'sees', name: 'Seer', vision: true },
    { id: 'blind', name: 'Blind', vision: false },
    { id: 'new', name: 'New' },
  ];
  const catalog = new RelayCatalog({ listModels: async () => listed, merge: (models) => models });
  const store = new MemoryChatStore();
  const chat = new ChatController(
    chatDependencies({
      store,
      streamModel,
      defaultModel: () => 'sees',
      now: () => 1000,
    }),
  );
  const host = silentPanelHost();
  const parts = attachmentParts(entries);
  const controller = parts.controller(() => catalog.find(chat.shown.choices.model ?? ''));
  const told = toldParts(chat);
  const edited = attachmentParts(entries);
  const model = () => catalog.find(chat.shown.choices.model ?? '');
  const { attach, page, refused } = panelParts(chat, {
    ...{ catalog, host, attachments: controller, told: told.controller },
    editedAttachments: edited.controller(model),
  });
  attach();
  const heard: ToPage[] = [];
  page.listen((message) => heard.push(message));
  await catalog.load();
  page.post({ type: 'ready' });
  const chips = (): AttachmentChip[] => {
    const last = heard.findLast(
      (message) =>
        (message.type === 'attachmentsChanged' && message.box === undefined) ||
        message.type === 'stateReplaced',
    );
    return last?.type === 'attachmentsChanged'
      ? last.attachments
      : last?.type === 'stateReplaced'
        ? last.state.attachments
        : [];
  };
  const until = (isSo: () => boolean) => eventually(() => assert.ok(isSo(), 'it never came'));
  const editedChips = (): AttachmentChip[] => {
    const last = heard.findLast(
      (message) =>
        (message.type === 'attachmentsChanged' && message.box !== undefined) ||
        message.type === 'editChanged',
    );
    return last?.type === 'attachmentsChanged'
      ? last.attachments
      : last?.type === 'editChanged'
        ? (last.edit?.attachments ?? [])
        : [];
  };
  return {
    ...parts,
    catalog,
    chat,
    chips,
    edited,
    editedChips,
    heard,
    host,
    page,
    refused,
    requests,
    store,
    told,
    until,
  };
}

describe('the attachment controller', () => {
  it('shows chips with their sizes, and sends what they stand for with the message', async () => {
    const { chips, heard, page, refused, requests, until } = await setUp({ '/work/a.ts': 'let a = 1;' });
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    assert.equal(chips()[0]?.detail, 'reading…');
    await until(() => chips()[0]?.size !== undefined);
    assert.deepEqual(
      chips().map(({ label, size, tokens, location }) => [label, size, tokens, location]),
      [['a.ts', '10 B', 'about 5 tokens', { path: 'a.ts' }]],
    );
    page.post({ type: 'sendMessage', text: 'Why?' });
    await until(() => requests.length === 1);
    assert.deepEqual(requests[0]?.messages.at(-1), {
      role: 'user',
      content: '<attachment-c58e kind="file" path="a.ts">\nlet a = 1;\n</attachment-c58e>\n\nWhy?',
    });
    assert.deepEqual(chips(), []);
    const added = heard.find((message) => message.type === 'entryAdded');
    assert.ok(added?.type === 'entryAdded' && added.entry.type === 'user');
    assert.equal(added.entry.attachments?.[0]?.label, 'a.ts');
    assert.deepEqual(refused, []);
  });

  it('sends the active editor with each message where the setting says so, and says once why it cannot', async () => {
    const { chips, page, requests, told, until } = await setUp({
      '/work/a.ts': 'let a = 1;',
      '/work/.env': 'KEY=1',
    });
    told.editor.sources = [{ type: 'path', path: '/work/a.ts', isEditor: true }];
    page.post({ type: 'sendMessage', text: 'Why?' });
    await until(() => requests.length === 1);
    assert.match(requests[0]?.messages.at(-1)?.content ?? '', /let a = 1;[^]*Why\?$/);
    await until(() => chips().length === 0);
    told.editor.sources = [{ type: 'path', path: '/work/.env', isEditor: true }];
    page.post({ type: 'sendMessage', text: 'And now?' });
    await until(() => chips()[0]?.problem !== undefined);
    assert.equal(requests.length, 1);
    await until(() => {
      page.post({ type: 'sendMessage', text: 'And now?' });
      return requests.length === 2;
    });
    assert.doesNotMatch(JSON.stringify(requests[1]), /KEY=1/);
  });

  it('keeps the conversation with what was attached', async () => {
    const { chat, chips, page, requests, store, until } = await setUp({ '/work/a.ts': 'let a = 1;' });
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    page.post({ type: 'sendMessage', text: '' });
    await until(() => requests.length === 1 && chips().length === 0);
    const events = await store.load(chat.shown.conversation.id);
    const said = events?.find((event) => event.type === 'userMessageAdded');
    assert.ok(said?.type === 'userMessageAdded');
    assert.equal(said.attachments?.[0]?.text, 'let a = 1;');
  });

  it('holds the message back when a file has become forbidden', async () => {
    const { chips, heard, host, page, requests, until, workspace } = await setUp({
      '/work/a.ts': 'let a = 1;',
    });
    page.post({ type: 'changeDraft', text: 'Why?' });
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    await until(() => chips()[0]?.size !== undefined);
    workspace.memory.set('/work/.gitignore', 'a.ts');
    page.post({ type: 'sendMessage', text: 'Why?' });
    await until(() => heard.some(({ type }) => type === 'messageHeld'));
    assert.match(chips()[0]?.problem ?? '', /excluded by \.gitignore/);
    assert.equal(host.memory.draft, 'Why?');
    assert.equal(requests.length, 0);
    // The problem was shown; the model learns that something is missing, and gets nothing of it.
    page.post({ type: 'sendMessage', text: 'Why?' });
    await until(() => requests.length === 1);
    const sent = String(requests[0]?.messages.at(-1)?.content);
    assert.match(sent, /Nothing of it was sent\. Refused/);
    assert.doesNotMatch(sent, /let a/);
  });

  it('says of an image what the chosen model makes of it', async () => {
    const { chips, page, until } = await setUp();
    const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]).toString('base64');
    page.post({ type: 'attachImage', name: 'p.png', mimeType: 'image/png', bytes: 9, base64: data });
    await until(() => chips()[0]?.size !== undefined);
    assert.deepEqual([chips()[0]?.size, chips()[0]?.notes], ['9 B', []]);
    page.post({ type: 'selectModel', modelId: 'blind' });
    assert.match(chips()[0]?.problem ?? '', /Blind doesn't support images/);
    page.post({ type: 'selectModel', modelId: 'new' });
    assert.deepEqual(chips()[0]?.notes, ['Image support of New is unknown.']);
  });

  it('gives an image to the page that wants to draw it, before and after it was sent', async () => {
    const { chat, chips, heard, page, until } = await setUp();
    const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]).toString('base64');
    page.post({ type: 'attachImage', name: 'p.png', mimeType: 'image/png', bytes: 9, base64: data });
    await until(() => chips()[0]?.size !== undefined);
    const loaded = () => heard.flatMap((fact) => (fact.type === 'pictureLoaded' ? [fact.picture] : []));
    const { id = '' } = chips()[0] ?? {};
    page.post({ type: 'loadPicture', id });
    page.post({ type: 'loadPicture', id: 'unknown' });
    await until(() => loaded().length > 0);
    assert.deepEqual(loaded(), [{ id, base64: data }]);
    page.post({ type: 'sendMessage', text: 'Look' });
    await until(() => chips().length === 0);
    const sent = chat.shown.conversation.all.find((item) => item.type === 'user')?.id;
    page.post({ type: 'loadPicture', id: `${sent}.0` });
    await until(() => loaded().length === 2);
    assert.deepEqual(loaded()[1], { id: `${sent}.0`, base64: data });
  });

  it('gives back what went with a queued message that is edited, and sends it with the edited one', async () => {
    const { chat, chips, heard, page, requests, until } = await setUp(
      { '/work/a.ts': 'let a = 1;' },
      ['wait'],
      greeting,
    );
    const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]).toString('base64');
    const labels = () => chips().flatMap(({ label, size }) => (size === undefined ? [] : [label]));
    const queue = () => {
      const change = heard.findLast(({ type }) => type === 'queueChanged');
      return change?.type === 'queueChanged' ? change.queue : [];
    };
    page.post({ type: 'sendMessage', text: 'First' });
    await until(() => requests.length === 1);
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    page.post({ type: 'attachImage', name: 'p.png', mimeType: 'image/png', bytes: 9, base64: data });
    await until(() => labels().length === 2);
    page.post({ type: 'sendMessage', text: 'Look' });
    await until(() => queue().length === 1);
    assert.deepEqual([queue()[0]?.attachments, chips()], [2, []]);

    page.post({ type: 'editQueued', id: queue()[0]!.id });
    await until(() => labels().length === 2);
    assert.deepEqual([labels(), queue()], [['a.ts', 'p.png'], []]);
    page.post({ type: 'stopTurn' });
    await until(() => !chat.shown.isRunning);
    page.post({ type: 'sendMessage', text: 'Look closer' });
    await until(() => requests.length === 2);
    const said = requests[1]?.messages.at(-1);
    assert.ok(said?.role === 'user');
    assert.match(said.content, /let a = 1;[^]*Look closer$/);
    assert.deepEqual(said.images, [{ mimeType: 'image/png', data }]);
  });

  const sizedLabels = (chips: readonly AttachmentChip[]) =>
    chips.flatMap(({ label, size }) => (size === undefined ? [] : [label]));

  it('attaches again what went with a message that is edited, whether the file of the conversation names its place or not', async () => {
    const { chat, chips, editedChips, page, requests, until } = await setUp(
      { '/work/a.ts': 'let a = 1;', '/work/b.ts': 'let b = 2;' },
      ...[greeting, greeting, greeting],
    );
    const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]).toString('base64');
    const labels = () => sizedLabels(chips());
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    page.post({ type: 'attachImage', name: 'p.png', mimeType: 'image/png', bytes: 9, base64: data });
    page.post({ type: 'attachText', name: 'Pasted', text: 'pasted words' });
    await until(() => labels().length === 3);
    page.post({ type: 'sendMessage', text: 'Look' });
    await until(() => requests.length === 1 && !chat.shown.isRunning);
    const [first] = chat.shown.conversation.all;
    assert.ok(first?.type === 'user');
    // Content already in the conversation isn't repeated.
    assert.equal(JSON.stringify(first.sources).includes('pasted words'), false);
    page.post({ type: 'attachUris', uris: ['file:///work/b.ts'], unplaced: [] });
    await until(() => labels().length === 1);

    const sendAgain = async (text: string) => {
      const { id } = chat.shown.conversation.all[0]!;
      page.post({ type: 'editMessage', id });
      await until(() => sizedLabels(editedChips()).length === 3);
      assert.deepEqual(sizedLabels(editedChips()), ['a.ts', 'p.png', 'Pasted']);
      const before = requests.length;
      page.post({ type: 'sendMessage', text, box: id });
      await until(() => requests.length > before && !chat.shown.isRunning);
      const said = requests.at(-1)?.messages.at(-1);
      assert.ok(said?.role === 'user');
      assert.match(said.content, /let a = 1;[^]*pasted words[^]*closer/);
      assert.doesNotMatch(said.content, /let b/);
      assert.deepEqual(said.images, [{ mimeType: 'image/png', data }]);
    };
    await sendAgain('Look closer');
    const message = chat.shown.conversation.all[0]!;
    assert.ok(message.type === 'user');
    delete message.sources;
    await sendAgain('Look even closer');
    assert.deepEqual(labels(), ['b.ts'], 'the message box keeps its own');
  });

  it('keeps what was attached to a message being edited for another window, and pictures only in the conversation', async () => {
    const files = { '/work/a.ts': 'let a = 1;', '/work/b.ts': 'let b = 2;' };
    const { catalog, chat, edited, editedChips, host, page, requests, until } = await setUp(
      files,
      ...[greeting, greeting],
    );
    const data = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 0]).toString('base64');
    page.post({ type: 'attachUris', uris: ['file:///work/a.ts'], unplaced: [] });
    page.post({ type: 'attachImage', name: 'p.png', mimeType: 'image/png', bytes: 9, base64: data });
    page.post({ type: 'sendMessage', text: 'Look' });
    await until(() => requests.length === 1 && !chat.shown.isRunning);
    const { id } = chat.shown.conversation.all[0]!;
    page.post({ type: 'editMessage', id });
    const saved = () => host.memory.edits as { isChanged?: true }[];
    await until(() => sizedLabels(editedChips()).length === 2);
    assert.equal(saved()[0]?.isChanged, undefined, 'only read');
    page.post({ type: 'attachUris', uris: ['file:///work/b.ts'], unplaced: [], box: id });
    page.post({ type: 'attachText', name: 'Pasted', text: 'nowhere', box: 'another' });
    page.post({ type: 'removeAttachment', id: edited.list.all(undefined)[0]!.id, box: id });
    await until(() => sizedLabels(editedChips()).join() === 'p.png,b.ts');
    assert.deepEqual([saved()[0]?.isChanged, JSON.stringify(saved()).includes(data)], [true, false]);

    const later = attachmentParts(files);
    const again = panelParts(chat, {
      ...{ catalog, editedAttachments: later.controller() },
      host: silentPanelHost({ memory: panelMemory({ edits: JSON.parse(JSON.stringify(saved())) }) }),
    });
    const heard: ToPage[] = [];
    again.page.listen((message) => heard.push(message));
    again.attach();
    again.page.post({ type: 'ready' });
    const state = heard.findLast((message) => message.type === 'stateReplaced')?.state;
    assert.deepEqual(
      state?.edit?.attachments.map(({ label }) => label),
      ['p.png', 'b.ts'],
    );
    again.page.post({ type: 'sendMessage', text: 'Look', box: id });
    await until(() => requests.length === 2 && !chat.shown.isRunning);
    const said = requests.at(-1)?.messages.at(-1);
    assert.ok(said?.role === 'user');
    assert.match(said.content, /^(?![^]*let a)[^]*let b = 2;/);
    assert.deepEqual(said.images, [{ mimeType: 'image/png', data }]);
    assert.ok(later.list.isEmpty);
  });

  it('attaches only what it offered', async () => {
    const { chips, heard, page, until } = await setUp({ '/work/README.md': 'read me' });
    page.post({ type: 'attachMention', optionId: '1.0' });
    assert.deepEqual(chips(), []);
    page.post({ type: 'findMentions', requestId: 1, query: 'x' });
    page.post({ type: 'findMentions', requestId: 2, query: 'READ' });
    await until(() => heard.some((message) => message.type === 'mentionsFound' && message.isComplete));
    const found = heard.filter((message) => message.type === 'mentionsFound');
    assert.ok(found.every(({ requestId }) => requestId === 2));
    const option = found.at(-1)?.options.find(({ label }) => label === 'README.md');
    page.post({ type: 'attachMention', optionId: option?.id ?? '' });
    await until(() => chips()[0]?.size !== undefined);
    assert.equal(chips()[0]?.label, 'README.md');
  });

  it('asks for the page that the user wants attached, and runs what it offered', async () => {
    const { heard, mentions, page, pages, until } = await setUp();
    page.post({ type: 'attachPage', address: 'https://example.com/' });
    await until(() => pages.length === 1);
    mentions.find = async function* () {
      yield {
        mentions: [
          { kind: 'page', label: 'Web Page', words: 'url', attach: async () => pages.push('asked') },
        ],
      };
    };
    page.post({ type: 'findMentions', requestId: 3, query: 'url' });
    await until(() => heard.some((message) => message.type === 'mentionsFound' && message.isComplete));
    const found = heard.findLast((message) => message.type === 'mentionsFound');
    assert.ok(found?.type === 'mentionsFound');
    assert.deepEqual(found.options, [{ id: '3.0', kind: 'page', label: 'Web Page' }]);
    page.post({ type: 'attachMention', optionId: '3.0' });
    await until(() => pages.length === 2);
    assert.deepEqual(pages, ['https://example.com/', 'asked']);
  });

  it('tells of what came without a place, and gives texts back', async () => {
    const { chips, heard, host, page, until } = await setUp();
    page.post({ type: 'attachUris', uris: ['https://example.com/x'], unplaced: ['notes.txt'] });
    page.post({ type: 'attachText', name: 'Pasted text', text: 'words' });
    await until(() => chips().length === 3 && chips().every(({ size, problem }) => size ?? problem));
    assert.match(chips()[0]?.problem ?? '', /location unknown/);
    assert.match(chips()[1]?.problem ?? '', /location unknown/);
    host.memory.draft = 'Mine';
    page.post({ type: 'unpackAttachment', id: chips()[2]?.id ?? '' });
    assert.equal(host.memory.draft, 'Mine\nwords');
    assert.ok(heard.some((message) => message.type === 'draftReplaced' && message.text === 'Mine\nwords'));
    page.post({ type: 'removeAttachment', id: chips()[0]?.id ?? '' });
    assert.equal(chips().length, 1);
  });
});
