import assert from 'node:assert/strict';
import type { AttachmentSource } from '../../../../src/chat/attachments/attachment.ts';
import { AttachmentReader } from '../../../../src/chat/attachments/readAttachment.ts';
import { AttachmentList } from '../../../../src/chat/attachments/attachmentList.ts';
import { SwitchboardError } from '../../../../src/base/errors/errors.ts';
import { toChip } from '../../../../src/panel/present/presentAttachment.ts';
import { attachmentParts } from '../../../support/attachmentParts.ts';

const path = (name: string): AttachmentSource => ({ type: 'path', path: name });
const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(64)]);
const seeing = { name: 'Seer', vision: true };

describe('attachments', () => {
  it('take a file with what is unsaved of it, as it is when it is sent', async () => {
    const { list, workspace } = attachmentParts({ '/work/src/a.ts': 'one\ntwo\n' });
    await list.add([path('src/a.ts')]);
    assert.deepEqual(
      list.all(seeing).map(({ attachment }) => attachment),
      [{ kind: 'file', label: 'a.ts', path: 'src/a.ts', text: 'one\ntwo' }],
    );
    workspace.unsavedTexts.set('/work/src/a.ts', 'three\n');
    assert.deepEqual(
      (await list.prepare(seeing))?.map(({ text }) => text),
      ['three'],
    );
  });

  it('cut a large file and say so, to the user and to the model', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`).join('\n');
    const { list } = attachmentParts({ '/work/big.txt': lines });
    await list.add([path('big.txt')]);
    const [{ attachment } = {}] = list.all(seeing);
    assert.deepEqual(attachment?.lines, { first: 1, last: 2000, total: 5000 });
    assert.match(
      attachment?.text ?? '',
      /line 2000\n\[These are lines 1 to 2000 of 5000\. Ask for more with read_file/,
    );
    assert.equal(attachment?.notes?.length, 1);
  });

  for (const [name, says] of [
    ['.env', /environment file/],
    ['ignored.txt', /excluded by \.gitignore/],
    ['../secret', /outside the workspace/],
    ['key.pem', /key or certificate/],
    ['nothing.txt', /doesn't exist/],
    ['photo.bin', /Not a text file/],
    ['link', /outside the workspace/],
  ] as const) {
    it(`refuse ${name} with a reason, and send nothing of it`, async () => {
      const { list } = attachmentParts({
        '/work/.env': 'TOKEN=1',
        '/work/.gitignore': 'ignored.txt\n',
        '/work/ignored.txt': 'x',
        '/work/key.pem': 'x',
        '/work/photo.bin': Uint8Array.from([0, 1, 2, 0, 255]),
        '/work/link': { linkTo: '/secret' },
        '/secret': 'x',
      });
      await list.add([path(name)]);
      const [{ attachment } = {}] = list.all(seeing);
      assert.match(attachment?.refusal?.forUser ?? '', says);
      // The problem was shown, so the message is sent; the model learns that something is missing.
      const sent = await list.prepare(seeing);
      assert.deepEqual(
        sent?.map(({ text, image }) => text ?? image),
        [undefined],
      );
    });
  }

  it('hold the message back when a file cannot be sent any more', async () => {
    const { list, workspace } = attachmentParts({ '/work/a.ts': 'one', '/work/b.ts': 'two' });
    await list.add([path('a.ts'), path('b.ts')]);
    workspace.memory.set('/work/.gitignore', 'a.ts');
    workspace.memory.delete('/work/b.ts');
    let changes = 0;
    list.onDidChange(() => changes++);
    assert.equal(await list.prepare(seeing), undefined);
    assert.equal(changes, 1);
    const reasons = list.all(seeing).map(({ attachment }) => attachment?.refusal?.forUser ?? '');
    assert.match(reasons[0] ?? '', /excluded/);
    assert.match(reasons[1] ?? '', /doesn't exist/);
    assert.deepEqual(
      (await list.prepare(seeing))?.map(({ text }) => text),
      [undefined, undefined],
    );
  });

  it('keep a selection as it was chosen, and judge its file again', async () => {
    const { list, workspace } = attachmentParts({ '/work/a.ts': 'one\ntwo\nthree\nfour' });
    const selection = { start: { line: 2, column: 2 }, end: { line: 3, column: 3 }, text: 'wo\nth' };
    const editor = { path: '/work/a.ts', isActive: true, isVisible: true, hasUnsavedChanges: false };
    workspace.openEditors = [{ ...editor, selection: { ...selection, redacted: selection.text } }];
    await list.add([{ type: 'range', path: '/work/a.ts', startLine: 2, endLine: 3 }]);
    workspace.openEditors = [];
    workspace.memory.set('/work/a.ts', 'changed');
    const [sent] = (await list.prepare(seeing)) ?? [];
    assert.deepEqual([sent?.kind, sent?.text, sent?.lines], ['selection', 'wo\nth', { first: 2, last: 3 }]);
    workspace.ruleSet = { ...workspace.ruleSet, toolsExclude: ['a.ts'] };
    assert.equal(await list.prepare(seeing), undefined);
  });

  it('list a folder, the problems and the changes, without what the policy withholds', async () => {
    const { list, workspace } = attachmentParts({ '/work/src/a.ts': 'one', '/work/src/.env': '' });
    workspace.changeList = [{ path: '/work/src/a.ts', state: 'modified', isStaged: false }];
    await list.add([path('src'), { type: 'problems' }, { type: 'changes' }]);
    const all = list.all(seeing).map(({ attachment }) => attachment);
    assert.deepEqual(
      all.map((each) => [each?.kind, each?.label, each?.path]),
      [
        ['folder', 'src/', 'src'],
        ['problems', 'Problems', undefined],
        ['changes', 'Changes', undefined],
      ],
    );
    assert.match(all[0]?.text ?? '', /src\/a\.ts/);
    assert.equal(all[0]?.notes?.length, 1);
    assert.match(all[1]?.text ?? '', /No problems/);
    assert.match(all[2]?.text ?? '', /\+one/);
    assert.deepEqual([all[1]?.notes, all[2]?.notes], [undefined, undefined]);
  });

  it('name the workspace by its folder, and problems by their file', async () => {
    const { list, workspace } = attachmentParts({ '/work/src/a.ts': 'one', '/work/b.ts': 'two' });
    const range = { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } };
    for (const name of ['src/a.ts', 'b.ts']) {
      const problem = {
        path: `/work/${name}`,
        range,
        severity: 'error',
        message: `Wrong in ${name}`,
      } as const;
      workspace.diagnosticList.push(problem);
    }
    await list.add([path('.'), { type: 'problems', path: 'src/a.ts' }, { type: 'problems' }]);
    const [folder, ofFile, all] = list.all(seeing).map(({ attachment }) => attachment);
    assert.deepEqual([folder?.label, folder?.path], ['work/', '.']);
    assert.deepEqual([ofFile?.label, ofFile?.path], ['Problems in a.ts', 'src/a.ts']);
    assert.match(ofFile?.text ?? '', /Wrong in src\/a\.ts/);
    assert.doesNotMatch(ofFile?.text ?? '', /Wrong in b\.ts/);
    assert.match(all?.text ?? '', /Wrong in b\.ts/);
  });

  it('are no longer read once that was stopped', async () => {
    const { dependencies, workspace } = attachmentParts({ '/work/a.ts': 'one' });
    const reader = new AttachmentReader(() => dependencies);
    const stop = new AbortController();
    workspace.memory.beforeAccess = () => stop.abort();
    await assert.rejects(reader.read(path('a.ts'), stop.signal));
    assert.equal(workspace.memory.held, 0);
  });

  it('take pictures, say what they are, and keep them from models without vision', async () => {
    const { list, workspace } = attachmentParts({ '/work/shot.png': png, '/work/fake.png': 'a text' });
    const data = png.toString('base64');
    await list.add([
      path('shot.png'),
      { type: 'image', name: 'pasted.png', mimeType: 'image/png', bytes: png.length, data },
      { type: 'image', name: 'odd.bmp', mimeType: 'image/bmp', bytes: 4, data: 'Qk0AAA==' },
      { type: 'image', name: 'huge.png', mimeType: 'image/png', bytes: 6_000_000, data: '' },
      path('fake.png'),
    ]);
    const kinds = (model: Parameters<typeof list.all>[0]) =>
      list
        .all(model)
        .map(({ attachment }) => (attachment?.image ? 'image' : attachment?.refusal ? 'refused' : 'text'));
    assert.deepEqual(kinds(seeing), ['image', 'image', 'refused', 'refused', 'text']);
    assert.deepEqual(kinds({ name: 'Unknown' }), kinds(seeing));
    assert.equal(list.all(seeing)[0]?.attachment?.image?.data, data);
    assert.equal(workspace.memory.held, 0, 'nothing stays open');
    const blind = { name: 'Blind', vision: false };
    assert.deepEqual(kinds(blind), ['refused', 'refused', 'refused', 'refused', 'text']);
    assert.match(list.all(blind)[0]?.attachment?.refusal?.forUser ?? '', /Blind doesn't support images/);
  });

  it('refuse the pictures that one message cannot carry, and only those', async () => {
    const { list } = attachmentParts({});
    const data = png.toString('base64');
    const pictures = Array.from({ length: 12 }, (_, n): AttachmentSource => ({
      ...{ type: 'image', name: `${n}.png`, mimeType: 'image/png', data },
      bytes: n === 10 ? 5_000_000 : 4_900_000,
    }));
    await list.add(pictures);
    const refused = () => list.all(seeing).map(({ attachment }) => attachment?.refusal !== undefined);
    assert.deepEqual(refused(), [...Array.from({ length: 10 }, () => false), true, true]);
    assert.match(list.all(seeing)[10]?.attachment?.refusal?.forUser ?? '', /50 MB in total/);
    list.remove(list.all(seeing)[0]?.id ?? '');
    assert.deepEqual(refused(), [...Array.from({ length: 10 }, () => false), true]);
  });

  it('read what was attached in an untrusted workspace, and nothing else', async () => {
    const { list, dependencies, workspace } = attachmentParts({ '/work/a.ts': 'one', '/work/b.ts': 'two' });
    workspace.ruleSet = { ...workspace.ruleSet, isTrusted: false };
    await list.add([path('a.ts'), path('.')]);
    const [file, folder] = list.all(seeing);
    assert.equal(file?.attachment?.text, 'one');
    assert.match(folder?.attachment?.refusal?.forUser ?? '', /isn't trusted/);
    assert.equal((await dependencies.policy.check('a.ts', 'read')).isAllowed, true);
    assert.equal((await dependencies.policy.check('b.ts', 'read')).isAllowed, false);
  });

  it('are there once each, and not without end', async () => {
    const { list } = attachmentParts({ '/work/a.ts': 'one' });
    await list.add([path('a.ts'), path('/work/a.ts'), path('./a.ts')]);
    assert.equal(list.all(seeing).length, 1);
    await list.add(
      Array.from({ length: 60 }, (_, n): AttachmentSource => ({ type: 'text', name: `${n}`, text: 'x' })),
    );
    const all = list.all(seeing);
    assert.equal(all.length, 51);
    assert.match(all.at(-1)?.attachment?.refusal?.forUser ?? '', /Maximum 50/);
  });

  it('come back in the next window, but for the data of pictures', async () => {
    const { list, reader, store } = attachmentParts({ '/work/a.ts': 'one' });
    const data = png.toString('base64');
    await list.add([
      path('a.ts'),
      { type: 'image', name: 'p.png', mimeType: 'image/png', bytes: png.length, data },
    ]);
    const kept = structuredClone(store);
    let ids = 0;
    const next = new AttachmentList(
      async () => reader,
      kept,
      () => `b${++ids}`,
    );
    await next.restore();
    const [file, image] = next.all(seeing);
    assert.equal(file?.attachment?.text, 'one');
    assert.match(image?.attachment?.refusal?.forUser ?? '', /wasn't saved/);
    next.clear();
    assert.deepEqual(kept.attachments, []);
    const broken = new AttachmentList(
      async () => reader,
      { attachments: [{ type: 'path' }] },
      () => 'c',
    );
    await broken.restore();
    assert.equal(broken.isEmpty, true);
  });

  it('give a text back', async () => {
    const { list } = attachmentParts();
    await list.add([{ type: 'text', name: 'Pasted text', text: 'words' }]);
    assert.equal(list.takeText('a1'), 'words');
    assert.equal(list.isEmpty, true);
    assert.equal(list.takeText('a1'), undefined);
  });

  describe('with secrets', () => {
    const token = ['gh', 'p_', 'a1B2'.repeat(9)].join('');
    const keyLine = 'MIIEpAIBAAKCAQEAy8Dbv8prpJ';
    const key = [
      '-----BEGIN PRIVATE',
      ' KEY-----\n',
      `${keyLine}\n`.repeat(20),
      '-----END PRIVATE',
      ' KEY-----',
    ].join('');
    const files = { '/work/a.ts': `x = "${token}"`, '/work/k.txt': `${key}\nend` };
    const sources: AttachmentSource[] = [
      path('a.ts'),
      { type: 'range', path: 'k.txt', startLine: 5, endLine: 8 },
      { type: 'text', name: 'paste', text: `a ${token} b` },
      { type: 'changes' },
    ];
    const made = () => {
      const parts = attachmentParts(files);
      parts.workspace.changeList = [{ path: '/work/a.ts', state: 'modified', isStaged: false }];
      return parts;
    };

    it('redact them, and say how many', async () => {
      const { list } = made();
      await list.add(sources);
      for (const { attachment } of list.all(seeing)) {
        assert.equal(attachment?.redacted, 1, attachment?.label);
        assert.ok(!attachment.text?.includes(token) && !attachment.text?.includes(keyLine), attachment.text);
      }
      const sent = JSON.stringify(await list.prepare(seeing));
      assert.ok(!sent.includes(token) && !sent.includes(keyLine));
    });

    it('redact a selection as its document shows, until the user releases it', async () => {
      const { list, workspace } = made();
      const selection = {
        ...{ start: { line: 5, column: 1 }, end: { line: 6, column: 1 } },
        ...{ text: keyLine, redacted: '[redacted]' },
      };
      const editor = { path: '/work/k.txt', isActive: true, isVisible: true, hasUnsavedChanges: false };
      workspace.openEditors = [{ ...editor, selection }];
      await list.add([{ type: 'range', path: '/work/k.txt', startLine: 5, endLine: 5 }]);
      const [shown] = list.all(seeing);
      assert.deepEqual([shown?.attachment?.text, shown?.attachment?.redacted], ['[redacted]', 1]);
      await list.releaseSecrets(shown?.id ?? '');
      const [sent] = (await list.prepare(seeing)) ?? [];
      assert.deepEqual([sent?.text, sent?.redacted, sent?.unredacted], [keyLine, undefined, 1]);
    });

    it('send them once, and only of what the user released', async () => {
      const { list, reader, store } = made();
      await list.add(sources);
      const [file, range] = list.all(seeing);
      await list.releaseSecrets(file?.id ?? '');
      await list.releaseSecrets(range?.id ?? '');
      const [first, second, ...others] = (await list.prepare(seeing)) ?? [];
      assert.deepEqual([first?.text, first?.redacted, first?.unredacted], [`x = "${token}"`, undefined, 1]);
      assert.match(second?.text ?? '', new RegExp(keyLine));
      assert.deepEqual([second?.redacted, second?.unredacted], [undefined, 1]);
      assert.ok(!JSON.stringify(others).includes(token));
      // Neither another message nor another window gets the release.
      const again = new AttachmentList(
        async () => reader,
        store,
        () => `again${Math.random()}`,
      );
      await again.restore();
      assert.ok(!JSON.stringify(await again.prepare(seeing)).includes(token));
      list.clear();
      await list.add([path('a.ts')]);
      assert.ok(!JSON.stringify(await list.prepare(seeing)).includes(token));
    });
  });

  describe('that are loaded', () => {
    const page = { type: 'text', of: 'page', name: 'example.com', text: '' } as const;
    const refusals = (list: AttachmentList) =>
      list.all(seeing).map(({ attachment }) => attachment?.refusal?.forUser);

    it('wait for their text, with which they are sent and kept', async () => {
      const { list, store } = attachmentParts();
      let arrive: (text: string) => void = () => undefined;
      const text = new Promise<string>((resolve) => (arrive = resolve));
      const loading = list.load(page, async () => ({ name: 'example.com/a', text: await text, isCut: true }));
      assert.deepEqual(
        list.all(seeing).map(({ attachment }) => attachment),
        [undefined],
      );
      // A new window loads nothing by itself.
      assert.deepEqual(store.attachments, []);
      const prepared = list.prepare(seeing);
      arrive('Tides');
      await loading;
      assert.deepEqual(await prepared, [
        { kind: 'page', label: 'example.com/a', text: 'Tides', notes: ["The rest isn't sent."] },
      ]);
      assert.deepEqual(store.attachments, [{ ...page, name: 'example.com/a', text: 'Tides', isCut: true }]);
    });

    it('are refused with the reason where they fail, and not kept', async () => {
      const { list, store } = attachmentParts();
      await list.load(page, async () => Promise.reject(new SwitchboardError('offline', 'Nobody is there.')));
      assert.deepEqual(refusals(list), ['Nobody is there.']);
      assert.deepEqual(store.attachments, []);
      // Sent or edited again, it says that nothing was loaded.
      await list.add([page]);
      assert.deepEqual(refusals(list), ['Nobody is there.', 'Not loaded. Attach it again.']);
    });

    it('end loading once they are removed', async () => {
      const { list } = attachmentParts();
      let ended: AbortSignal | undefined;
      const loading = list.load(page, (signal) => {
        ended = signal;
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        );
      });
      assert.equal(ended?.aborted, false);
      list.remove(list.all(seeing)[0]?.id ?? '');
      await loading;
      assert.equal(ended.aborted, true);
      assert.deepEqual(list.all(seeing), []);
    });

    it('have likely secrets redacted; a terminal has them masked for good', async () => {
      const { list } = attachmentParts();
      const token = `ghp_${'a1B2'.repeat(9)}`;
      await list.load(page, async () => ({ name: 'example.com', text: `x ${token}` }));
      const [entry] = list.all(seeing);
      assert.ok(entry?.attachment);
      assert.deepEqual(
        [entry.attachment.text, toChip('1', entry.attachment).isRedacted],
        ['x [redacted secret]', true],
      );
      await list.load({ ...page, of: 'terminal' }, async () => ({ name: 'x', text: 'x [redacted secret]' }));
      const terminal = list.all(seeing)[1]?.attachment;
      assert.ok(terminal);
      const { isRedacted, notes } = toChip('2', terminal);
      assert.deepEqual([isRedacted, notes], [undefined, ['1 secret redacted']]);
    });
  });
});
