import type { Attachment } from './attachment.ts';
import { refusedByModel, withinOneMessage } from './pictures.ts';

/** To whom the next message goes, as far as files are concerned. */
export interface AttachmentTarget {
  name: string;
  /** Whether it supports images; undefined while nobody knows. */
  vision?: boolean;
  /**
   * Of an app, which accepts files as they are: what is wrong with each of those that are to go with a message, in
   * order. Nothing while its rules are not known.
   */
  checkFiles?(files: readonly { name: string; size: number }[]): (string | undefined)[] | undefined;
}

/** What is attached as this one gets it: what it does not support is refused with the reason. */
export function forTarget(
  attachments: readonly Attachment[],
  target: AttachmentTarget | undefined,
): Attachment[] {
  if (!target?.checkFiles) {
    return withinOneMessage(attachments.map((attachment) => refusedByModel(attachment, target)));
  }
  const files = attachments.filter(isFile);
  const problems = target.checkFiles(files.map(nameAndSize)) ?? [];
  const problemOf = new Map(files.map((file, index) => [file, problems[index]]));
  return attachments.map((attachment) => {
    if (!problemOf.has(attachment)) return attachment;
    const forUser = problemOf.get(attachment);
    // That it is no text is no reason here.
    const { refusal: _refusal, ...file } = attachment;
    if (forUser === undefined) return file;
    const { kind, label, path } = attachment;
    const refusal = { forModel: 'The app does not accept this file.', forUser };
    return { kind, label, ...(path !== undefined && { path }), refusal };
  });
}

/** What an app gets as a file and not as text. */
function isFile({ image, upload, refusal }: Attachment): boolean {
  return upload?.realPath !== undefined || (image !== undefined && !refusal);
}

function nameAndSize({ label, image, upload }: Attachment): { name: string; size: number } {
  return { name: label, size: upload?.bytes ?? image?.bytes ?? 0 };
}
