import * as l10n from '@vscode/l10n';
import { applyEdit, type Edit, isSame, stepsOf, UnchangeableFile } from './edit.ts';
import type { Format } from './formats/format.ts';

const mark = '\uFEFF';

/**
 * A file's text with edits in it, and all else as it was: comments, order, line ends. The result is read again and has to
 * hold what the edits come to and nothing else.
 * @throws UnchangeableFile
 */
export function changeText(
  format: Format,
  text: string,
  edits: (current: object) => readonly Edit[],
): string {
  const hasMark = text.startsWith(mark);
  const body = hasMark ? text.slice(mark.length) : text;
  // Where the ends of lines differ, they stay as they are.
  const isWindows = body.includes('\r\n') && !/(?<!\r)\n/.test(body);
  const before = isWindows ? body.replaceAll('\r\n', '\n') : body;
  let expected = format.parse(before);
  let changed = before;
  for (const edit of edits(expected)) {
    // What an edit takes follows from what those before it made.
    for (const step of stepsOf(edit, format.parse(changed))) {
      if (step.type === 'insert') changed = format.insert(changed, step.container, step.key, step.value);
      else if (step.type === 'remove') changed = format.remove(changed, step.path);
      else changed = format.replace(changed, step.path, step.value);
    }
    expected = applyEdit(expected, edit);
  }
  if (!holds(format, changed, expected)) throw notChanged();
  return (hasMark ? mark : '') + (isWindows ? changed.replaceAll('\n', '\r\n') : changed);
}

function holds(format: Format, text: string, expected: object): boolean {
  try {
    return isSame(format.parse(text), expected);
  } catch {
    return false;
  }
}

function notChanged(): UnchangeableFile {
  return new UnchangeableFile(l10n.t("it is written in a way that can't be changed safely"));
}
