import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { oneLine } from '../base/text/oneLine.ts';
import { attachmentSourceSchema, type AttachmentSource } from '../chat/attachments/attachment.ts';
import { changedEdits } from './messages/messageEdits.ts';
import type { PanelNotices } from './panelNotices.ts';

/** Unsent drafts of closed windows; attachments, target and edits are parsed here. */
export interface LeftDrafts {
  left(): Promise<
    readonly { id: string; text: string; attachments?: unknown; target?: unknown; edits?: unknown }[]
  >;
  take(id: string): Promise<boolean>;
}

const longestExcerpt = 60;

/** Offers the drafts of closed windows; each is kept until the user decides. */
export async function offerLeftDrafts(
  drafts: LeftDrafts,
  notices: PanelNotices,
  add: (text: string, sources: readonly AttachmentSource[]) => void,
): Promise<void> {
  const restore = l10n.t('Restore');
  const discard = l10n.t('Discard');
  for (const { id, text, attachments, target, edits } of await drafts.left()) {
    const aside = setAsideIn(target);
    const edited = changedEdits(edits);
    const texts = [text, aside?.draft, ...edited.map((edit) => edit.text)];
    const whole = texts.filter((each) => each?.trim()).join('\n');
    const sources = [
      ...sourcesIn(attachments),
      ...(aside?.sources ?? []),
      ...edited.flatMap((edit) => edit.sources),
    ];
    const isNothing = !whole && sources.length === 0;
    const pressed = isNothing
      ? discard
      : await notices.show({
          severity: 'warning',
          text: whole
            ? l10n.t('Unsent message from a window that was closed: {0}', oneLine(whole, longestExcerpt))
            : l10n.t('Unsent attachments from a window that was closed'),
          actions: [restore, discard],
        });
    if (pressed !== undefined && (await drafts.take(id)) && pressed === restore) add(whole, sources);
  }
}

const setAsideSchema = z.object({
  setAside: z.object({ draft: z.string(), sources: z.array(attachmentSourceSchema) }),
});

/** The draft that version 0.2.0 set aside while a message was edited in the box. */
export function setAsideIn(savedTarget: unknown): z.infer<typeof setAsideSchema>['setAside'] | undefined {
  return setAsideSchema.safeParse(savedTarget).data?.setAside;
}

function sourcesIn(saved: unknown): AttachmentSource[] {
  return z.array(attachmentSourceSchema).safeParse(saved).data ?? [];
}
