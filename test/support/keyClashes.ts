/** A keybinding as the editor lists it: its `when` is a series of `&&` joined by `||`. */
export interface Keybinding {
  key: string;
  command: string;
  when?: string;
}

/** The first chord, with its modifiers in one order. */
export function firstChord(key: string): string {
  const modifiers = key.split(' ')[0]!.toLowerCase().split('+');
  const last = modifiers.pop()!;
  return [...modifiers.toSorted(), last].join('+');
}

/** The keybindings among `others` that one of `ours` takes the key from. */
export function keyClashes(ours: readonly Keybinding[], others: readonly Keybinding[]): string[] {
  return ours.flatMap((own) =>
    others
      .filter(({ key }) => firstChord(key) === firstChord(own.key))
      .filter((other) => casesOf(own).some((a) => casesOf(other).some((b) => canBothHold(a, b))))
      .map((other) => `${own.command} and ${other.command}: ${own.key}`),
  );
}

/** True for keys in the text box of our own comments, where no others are meant. */
export function isInOwnBox({ when = '' }: Keybinding): boolean {
  return inOwnBox.test(when);
}

/** The editor lists the value in quotes. */
const inOwnBox = /\bcommentController == '?switchboard\.inlineEdit\b/;

function casesOf({ when = '' }: Keybinding): string[][] {
  return when.split('||').map((each) => each.split('&&').flatMap((term) => term.trim() || []));
}

function canBothHold(own: readonly string[], other: readonly string[]): boolean {
  if (own.some((term) => inOwnBox.test(term))) return false;
  if (own.some((term) => /^focusedView ==|^switchboard\.questionFocused$/.test(term))) {
    // Conditions of others name a widget that isn't in this view.
    return other.every((term) => term.startsWith('!') || term.startsWith('config.'));
  }
  if (!own.includes('editorTextFocus')) return true;
  if (other.some((term) => term === '!editorFocus' || term === '!editorTextFocus')) return false;
  return other.every((term) => term.startsWith('!') || !/focus(s?ed)?$/i.test(term) || inEditor.has(term));
}

const inEditor = new Set([
  'editorFocus',
  'editorTextFocus',
  'textInputFocus',
  'inputFocus',
  'notebookEditorFocused',
]);
