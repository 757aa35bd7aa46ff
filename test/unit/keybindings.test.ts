import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import defaults from '../fixtures/vscodeKeybindings.txt';
import { firstChord, isInOwnBox, keyClashes, type Keybinding } from '../support/keyClashes.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { keybindings: (Keybinding & { mac?: string })[] };
};
const { keybindings } = manifest.contributes;
const oursOn = (system: string) =>
  keybindings.map((each) => ({ ...each, key: (system === 'mac' && each.mac) || each.key }));

const systems = defaults
  .split(/^# /m)
  .slice(1)
  .map((section) => {
    const [system = '', taken = '', ...rows] = section.trim().split('\n');
    const shared = rows.map((row): Keybinding => {
      const [key = '', command = '', when] = row.split(' | ');
      return { key, command, ...(when && { when }) };
    });
    return { system, taken: new Set(taken.split(' ').slice(1)), shared };
  });

/** Keys that well-known programs listen to, in the editor or everywhere. */
const ofOthers = {
  'GitHub Copilot': ['ctrl+i', 'ctrl+alt+i', 'ctrl+shift+i', 'ctrl+shift+alt+i', 'cmd+i', 'ctrl+cmd+i'],
  Cline: ["ctrl+'", "cmd+'"],
  Continue: ['ctrl+l', 'ctrl+shift+l', 'ctrl+alt+y', 'ctrl+alt+n', 'cmd+l', 'cmd+shift+l'],
  Cursor: ['ctrl+k', 'ctrl+l', 'ctrl+i', 'cmd+k', 'cmd+l', 'cmd+i'],
  'Claude Code': ['ctrl+escape', 'alt+k', 'cmd+escape'],
  'QQ and WeChat': [
    'ctrl+alt+a',
    'ctrl+alt+s',
    'ctrl+alt+w',
    'ctrl+alt+z',
    'ctrl+alt+d',
    'ctrl+alt+o',
    'ctrl+alt+f',
  ],
  GNOME: ['ctrl+alt+t', 'ctrl+alt+l', 'ctrl+alt+d', 'ctrl+alt+delete'],
  macOS: ['ctrl+cmd+q', 'ctrl+cmd+f', 'ctrl+cmd+d', 'ctrl+cmd+space'],
};

describe('the keys', () => {
  for (const { system, taken, shared } of systems) {
    it(`take none from VS Code on ${system}`, () => {
      const ours = oursOn(system);
      assert.ok(taken.size > 200 && shared.length > 20);
      const recorded = new Set(shared.map(({ key }) => firstChord(key)));
      // The defaults for a key that becomes ours have to be recorded first.
      const unknown = ours
        .filter((each) => !isInOwnBox(each))
        .map(({ key }) => firstChord(key))
        .filter((key) => taken.has(key) && !recorded.has(key));
      assert.deepEqual(unknown, []);
      assert.deepEqual(keyClashes(ours, shared), []);
    });

    it(`take none from others on ${system}`, () => {
      const theirs = Object.entries(ofOthers).flatMap(([command, keys]) =>
        keys.map((key) => ({ key, command })),
      );
      assert.deepEqual(keyClashes(oursOn(system), theirs), []);
    });
  }

  it('leave those of VoiceOver alone', () => {
    const ofVoiceOver = oursOn('mac').filter(({ key }) => key.startsWith('ctrl+alt+'));
    assert.deepEqual(ofVoiceOver, []);
  });

  it('are seen to clash where both can be meant', () => {
    const clash = (when: string, otherWhen: string) =>
      keyClashes(
        [{ key: 'ctrl+alt+x', command: 'a', when }],
        [{ key: 'alt+ctrl+x y', command: 'b', when: otherWhen }],
      ).length;
    assert.deepEqual(
      [
        clash('switchboard.questionFocused', ''),
        clash('focusedView == switchboard.chat', '!inputFocus && config.editor.x'),
        clash('focusedView == switchboard.chat', 'listFocus || editorFocus'),
        clash('commentController == switchboard.inlineEdit && commentEditorFocused', 'commentEditorFocused'),
        clash('editorTextFocus', 'editorFocus && findWidgetVisible'),
        clash('editorTextFocus', '!editorFocus || listFocus'),
        clash('editorTextFocus', 'editorHasRenameProvider'),
        clash('', 'listFocus'),
      ],
      [1, 1, 0, 0, 1, 0, 1, 1],
    );
  });
});
