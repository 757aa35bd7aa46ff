import * as l10n from '@vscode/l10n';
import { applyEdit, type Edit, isSame, type Path, stepsOf, UnchangeableFile, valueAt } from './edit.ts';
import type { Format } from './formats/format.ts';

const mark = '\uFEFF';

/** Keeps comments, order and line ends. Throws `UnchangeableFile`, also if the parsed result isn't as expected. */
export function changeText(
  format: Format,
  text: string,
  edits: (current: object) => readonly Edit[],
): string {
  const hasMark = text.startsWith(mark);
  const body = hasMark ? text.slice(mark.length) : text;
  // Mixed line ends stay as they are.
  const isWindows = body.includes('\r\n') && !/(?<!\r)\n/.test(body);
  const before = isWindows ? body.replaceAll('\r\n', '\n') : body;
  let expected = format.parse(before);
  let changed = before;
  for (const edit of edits(expected)) {
    for (const step of stepsOf(edit, format.parse(changed))) {
      if (step.type === 'insert') changed = format.insert(changed, step.container, step.key, step.value);
      else if (step.type === 'remove') changed = format.remove(changed, step.path);
      else changed = format.replace(changed, step.path, step.value);
    }
    expected = withoutEmptied(applyEdit(expected, edit), format.parse(changed), edit);
  }
  if (!holds(format, changed, expected)) throw notChanged();
  return (hasMark ? mark : '') + (isWindows ? changed.replaceAll('\n', '\r\n') : changed);
}

/** An object of TOML is gone with its last table, unless it has a heading. */
function withoutEmptied(expected: object, found: object, { path, value }: Edit): object {
  if (value !== undefined) return expected;
  return path.slice(0, -1).reduceRight<object>((rest, _, depth) => {
    const outer: Path = path.slice(0, depth + 1);
    const emptied = isSame(valueAt(rest, outer), {}) && valueAt(found, outer) === undefined;
    return emptied ? applyEdit(rest, { path: outer }) : rest;
  }, expected);
}

function holds(format: Format, text: string, expected: object): boolean {
  try {
    return isSame(format.parse(text), expected);
  } catch {
    return false;
  }
}

function notChanged(): UnchangeableFile {
  return new UnchangeableFile(l10n.t("its formatting can't be edited safely"));
}
