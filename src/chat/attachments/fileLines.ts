import * as l10n from '@vscode/l10n';
import type { LineWindow } from '../../tools/files/lineWindow.ts';
import type { Attachment } from './attachment.ts';

/** Lines of a file as an attachment. Omitted lines are reported to the user, and to the model with how to read them. */
export function toLines(window: LineWindow, isWhole: boolean): Pick<Attachment, 'text' | 'lines' | 'notes'> {
  const { lines, totalLines, nextLine } = window;
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? 1;
  const cutLines = lines.filter(({ cut }) => cut);
  const text = lines
    .map(({ text: line, cut }) => (cut ? `${line}… [this line has ${cut.length} characters]` : line))
    .join('\n');
  if (nextLine === undefined) {
    const notes = cutLines.length > 0 ? [l10n.t('Very long lines are truncated.')] : [];
    return {
      text,
      ...(!isWhole && { lines: { first, last } }),
      ...(notes.length > 0 && { notes }),
    };
  }
  const total = totalLines === undefined ? '' : ` of ${totalLines}`;
  return {
    text: `${text}\n[These are lines ${first} to ${last}${total}. Ask for more with read_file, from startLine ${nextLine} on.]`,
    lines: { first, last, ...(totalLines !== undefined && { total: totalLines }) },
    notes: [l10n.t("The rest isn't sent. The model can read it with its tools.")],
  };
}
