import type { Attachment } from './attachment.ts';
import { refusedByModel, withinOneMessage } from './attachedPictures.ts';

export interface AttachmentTarget {
  name: string;
  vision?: boolean;
  /** Errors of the files, in order; undefined while the app's upload rules are unknown. For apps only. */
  checkFiles?(files: readonly { name: string; size: number }[]): (string | undefined)[] | undefined;
}

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
    // Apps accept binary files, so that refusal is dropped.
    const { refusal: _refusal, ...file } = attachment;
    if (forUser === undefined) return file;
    const { kind, label, path } = attachment;
    const refusal = { forModel: 'The app does not accept this file.', forUser };
    return { kind, label, ...(path !== undefined && { path }), refusal };
  });
}

function isFile({ image, upload, refusal }: Attachment): boolean {
  return upload?.realPath !== undefined || (image !== undefined && !refusal);
}

function nameAndSize({ label, image, upload }: Attachment): { name: string; size: number } {
  return { name: label, size: upload?.bytes ?? image?.bytes ?? 0 };
}
