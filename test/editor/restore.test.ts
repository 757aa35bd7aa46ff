import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { confirmChange } from '../../src/host/review/confirmChange.ts';
import type { GrantedFile } from '../../src/tools/policy/verdict.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useEditedFiles } from './editedFiles.ts';
import { withPerson } from './person.ts';

interface Shown {
  label: string;
  description?: string;
  detail?: string;
}

type Dialogs = Partial<
  Record<'showQuickPick' | 'showInformationMessage' | 'showWarningMessage', (...args: never[]) => unknown>
>;

async function withDialogs(dialogs: Dialogs, action: () => Promise<unknown>): Promise<void> {
  const window = vscode.window as unknown as Dialogs;
  const originals = Object.fromEntries(
    Object.keys(dialogs).map((name) => [name, window[name as keyof Dialogs]]),
  );
  Object.assign(window, dialogs);
  try {
    await action();
  } finally {
    Object.assign(window, originals);
  }
}

describe('restoring what turns changed', function () {
  this.timeout(60_000);
  const { before, edited, uriOf } = useEditedFiles();
  const wait = 'Wait until the model has finished, or stop it, before you review changes.';
  const now = (text: string, ...changes: [string, string][]) =>
    changes.reduce((all, [from, to]) => all.replace(from, to), text);
  const messages = ({ conversation }: { conversation: { all: readonly { id: string; type: string }[] } }) =>
    conversation.all.flatMap(({ id, type }) => (type === 'user' ? id : []));

  for (const where of ['this window', 'another window']) {
    it(`waits for a turn of ${where}, says so, and asks nothing`, async () => {
      const { host, session, told, path, document, runElsewhere } = await edited(['a', 'A']);
      const ended = where === 'this window' ? session.submit('More') : await runElsewhere(true);
      const asked = await withPerson({ picks: ['Restore Files'], answers: ['Restore Files'] }, async () => {
        assert.equal(await host.decide('e', 'keep'), false);
        assert.equal(await host.decide('e', 'undo'), false);
        assert.equal(await host.decide('e', 'redo', { path }), false);
        assert.equal(await host.restore('u'), undefined);
        assert.equal(await host.leave('u'), false);
      });
      assert.deepEqual([asked, told], [[], Array.from({ length: 5 }, () => wait)]);
      assert.equal(document.getText(), now(before, ['a', 'A']));
      if (where === 'this window') {
        await session.stop();
        await ended;
      } else await runElsewhere(false);
      assert.equal(await host.decide('e', 'undo'), true);
      assert.equal(document.getText(), before);
    });
  }

  it('leaves all as it is when a turn begins while it asks', async () => {
    const { host, told, document, session, runElsewhere } = await edited(['a', 'A']);
    const meanwhile =
      <T>(answer: (items: readonly Shown[]) => T) =>
      async (items: readonly Shown[]) => {
        await runElsewhere(true);
        return answer(items);
      };
    const after = async (action: () => Promise<unknown>) => {
      const result = await action();
      await runElsewhere(false);
      assert.equal(document.getText(), now(before, ['a', 'A']));
      assert.deepEqual(messages(session), ['u']);
      assert.deepEqual(told.splice(0), [wait]);
      return result;
    };
    await withDialogs({ showQuickPick: meanwhile((items) => items[0]) }, async () => {
      assert.equal(await after(() => host.restore('u')), undefined);
    });
    for (const answer of ['Restore Files', 'Keep Files']) {
      await withDialogs({ showInformationMessage: meanwhile(() => answer) }, async () => {
        assert.equal(await after(() => host.leave('u')), false);
      });
    }
  });

  it('asks which parts, with the files and what commands changed, and restores those', async () => {
    for (const [choice, parts, ids] of [
      ['Restore Files and Conversation', { files: true, conversation: true }, []],
      ['Restore Files', { files: true, conversation: false }, ['u']],
      ['Restore Conversation', { files: false, conversation: true }, []],
      [undefined, undefined, ['u']],
    ] as const) {
      const { host, path, document, session } = await edited(['a', 'A']);
      const paths = ['1', '2', '3', '4'].map((name) => uriOf(`built/${name}.js`).path);
      session.record({ type: 'commandChangedFiles', paths, more: 2 });
      let shown: readonly Shown[] = [];
      let options: vscode.QuickPickOptions = {};
      const showQuickPick = async (items: readonly Shown[], given: vscode.QuickPickOptions) => {
        [shown, options] = [items, given];
        return items.find(({ label }) => label === choice);
      };
      await withDialogs({ showQuickPick }, async () => {
        assert.deepEqual(await host.restore('u'), parts);
      });
      assert.deepEqual(
        shown.map(({ label, description, detail }) => [label, description, detail]),
        [
          ['Restore Files and Conversation', '1 file', path],
          ['Restore Files', '1 file', path],
          [
            'Restore Conversation',
            undefined,
            'Reverts the conversation to before this message and puts the message back in the box. Files stay.',
          ],
        ],
      );
      assert.equal(options.title, 'Restore to Before "Edit it"');
      assert.equal(
        options.placeHolder,
        'Your own edits and changes by other programs stay. ' +
          'Changed by commands and not restored: built/1.js, built/2.js, built/3.js and 3 more',
      );
      assert.equal(document.getText(), parts?.files ? before : now(before, ['a', 'A']), choice);
      assert.deepEqual(messages(session), ids, choice);
    }
  });

  it('offers no files where none are left to restore', async () => {
    const { host, session } = await edited(['a', 'A']);
    assert.equal(await host.decide('e', 'undo'), true);
    const labels: string[][] = [];
    const showQuickPick = async (items: readonly Shown[]) =>
      void labels.push(items.map(({ label }) => label));
    const asked = await withPerson({}, async () => {
      assert.equal(await host.leave('u'), true);
      await withDialogs({ showQuickPick }, () => host.restore('u'));
    });
    assert.deepEqual([labels, asked], [[['Restore Conversation']], []]);
    assert.deepEqual(messages(session), ['u']);
  });

  it('takes a restoration back without asking: the parts that it had', async () => {
    for (const [choice, parts] of [
      ['Restore Files', { files: true, conversation: false }],
      ['Restore Conversation', { files: false, conversation: true }],
    ] as const) {
      const { host, session, document } = await edited(['a', 'A']);
      const showQuickPick = async (items: readonly Shown[]) => items.find(({ label }) => label === choice);
      await withDialogs({ showQuickPick }, () => host.restore('u'));
      const restoration = session.conversation.all.find(({ type }) => type === 'restoration');
      const asked = await withPerson({}, async () =>
        assert.deepEqual(await host.restore(restoration?.id ?? ''), parts),
      );
      assert.deepEqual(asked, []);
      assert.equal(document.getText(), now(before, ['a', 'A']));
      assert.deepEqual(messages(session), ['u']);
    }
  });

  it('asks before a version is left, and restores its files alone', async () => {
    const { host, edit, session, document, path } = await edited(['a', 'A']);
    await edit('2', ['b', 'B']);
    session.record({ type: 'commandChangedFiles', paths: [uriOf('built.js').path], more: 0 });
    session.record({ type: 'versionStarted', ofId: 'u2' });
    await edit('3', ['c', 'C']);
    session.record({ type: 'versionChosen', id: 'u2' });
    const all = document.getText();
    assert.equal(all, now(before, ['a', 'A'], ['b', 'B'], ['c', 'C']));
    for (const [answer, result, text] of [
      ['', false, all],
      ['Keep Files', true, all],
      ['Restore Files', true, now(all, ['B', 'b'])],
    ] as const) {
      const asked = await withPerson({ answers: [answer] }, async () =>
        assert.equal(await host.leave('u2'), result, answer),
      );
      assert.deepEqual(asked, [
        {
          kind: 'information',
          text: "The version you're leaving changed 1 file. Restore its previous content?",
          buttons: ['Restore Files', 'Keep Files'],
          detail: `${path}\nChanged by commands and not restored: built.js`,
        },
      ]);
      assert.equal(document.getText(), text, answer);
      assert.deepEqual(messages(session), ['u', 'u2']);
    }
  });

  it('names a file as it is called now', async () => {
    const { host, path } = await edited(['a', 'A']);
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(uriOf(path), uriOf('scratch/other.txt'));
    assert.equal(await vscode.workspace.applyEdit(renaming), true);
    const [asked] = await withPerson({}, () => host.leave('u'));
    assert.equal(asked?.detail, 'scratch/other.txt');
  });

  it('says why an undo cannot be redone, and redoes one that can', async () => {
    const { host, path, document, told } = await edited(['a', 'A']);
    assert.equal(await host.decide('e', 'undo'), true, told.join());
    assert.equal(await host.decide('e', 'redo', { path }), true, told.join());
    assert.equal(document.getText(), now(before, ['a', 'A']));
    assert.equal(await host.decide('e', 'undo'), true, told.join());
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'mine\n');
    assert.equal(await vscode.workspace.applyEdit(edit), true, 'typed');
    assert.equal(await host.decide('e', 'redo', { path }), false);
    assert.deepEqual(told, [`${path} has changed since it was undone, so it can't be redone.`]);
    assert.equal(await host.decide('gone', 'undo'), false);
  });
});

describe('the question before a protected file changes', function () {
  this.timeout(60_000);
  const file = { shown: 'scripts/run.sh', protection: 'shell' } as GrantedFile;
  const diff = () => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    return activeTab?.input instanceof vscode.TabInputTextDiff
      ? { label: activeTab.label, input: activeTab.input }
      : undefined;
  };
  const textOf = async (uri: vscode.Uri | undefined) =>
    uri && (await vscode.workspace.openTextDocument(uri)).getText();

  async function ask(before: string | undefined, after: string | undefined, isAllowed: boolean) {
    let asked: unknown[] = [];
    const showWarningMessage = async (
      question: string,
      { detail = '', modal }: vscode.MessageOptions,
      ...buttons: string[]
    ) => {
      const shown = diff();
      const sides = [await textOf(shown?.input.original), await textOf(shown?.input.modified)];
      asked = [question, modal, buttons, detail.split('\n'), shown?.label, sides];
      return isAllowed ? buttons[0] : undefined;
    };
    await withDialogs({ showWarningMessage }, async () =>
      assert.equal(await confirmChange({ file, before, after }), isAllowed),
    );
    await eventuallyEqual(diff, undefined);
    return asked;
  }

  it('names the change and why it asks, over the whole difference, which goes with the answer', async () => {
    const why = 'Programs run this file when they start, so each change needs your approval.';
    const title = 'scripts/run.sh (to be restored)';
    for (const isAllowed of [true, false]) {
      assert.deepEqual(await ask('one\ntwo\n', 'one\n2\n', isAllowed), [
        ...['Change scripts/run.sh?', true, ['Change'], [why, '', '− two', '+ 2'], title],
        ['one\ntwo\n', 'one\n2\n'],
      ]);
      assert.deepEqual(await ask(undefined, 'new\n', isAllowed), [
        ...['Create scripts/run.sh?', true, ['Create'], [why, '', '+ new'], title],
        ['', 'new\n'],
      ]);
      assert.deepEqual(await ask('old\n', undefined, isAllowed), [
        ...['Delete scripts/run.sh?', true, ['Delete'], [why, '', '− old'], title],
        ['old\n', ''],
      ]);
    }
  });

  it('shows hidden characters, and says how much it leaves out', async () => {
    const lines = ['safe\u202eevil', 'x'.repeat(121), ...Array.from({ length: 16 }, (_, at) => `${at}`)];
    const [, , , detail] = await ask(undefined, lines.map((line) => `${line}\n`).join(''), false);
    assert.ok(Array.isArray(detail));
    const [, , hidden, long] = detail as string[];
    assert.match(hidden ?? '', /^\+ safe⟨.*⟩evil$/);
    assert.equal(long, `+ ${'x'.repeat(120)}…`);
    assert.deepEqual(detail.slice(-2), ['+ 13', '… and 2 more lines, shown in the diff']);
    const [, , , fits] = await ask(undefined, 'y\n'.repeat(16), false);
    assert.equal((fits as string[]).length, 18);
    await eventually(() => assert.equal(diff(), undefined));
  });
});
