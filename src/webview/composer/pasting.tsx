import * as l10n from '@vscode/l10n';
import { pageAddress } from '../../base/urls.ts';
import { formatNumber } from '../../base/text/format.ts';
import { longestPastedText } from '../../shared/attachments.ts';
import { attachFiles } from './dropTarget.tsx';
import { usePanel } from '../state/panel.ts';

const longPaste = 5000;

/** In characters; more blocks the box for seconds or minutes. */
const longestInBox = 500_000;

export function usePasting(): { onPaste(event: ClipboardEvent): void } {
  const { box, post } = usePanel();
  const attachPasted = useAttachPasted();
  return {
    onPaste(event) {
      const { clipboardData: data } = event;
      if (!data) return;
      const text = data.getData('text/plain');
      const files = [...data.files];
      if (text === '' && files.length > 0) {
        event.preventDefault();
        attachFiles(files, post);
        return;
      }
      const isOffered = text.length > longPaste || pageAddress(text) !== undefined;
      box.pasted.value = isOffered ? text.replace(/\r\n?/g, '\n') : undefined;
      if (text.length <= longestInBox) return;
      event.preventDefault();
      if (text.length <= longestPastedText) attachPasted();
    },
  };
}

/** Offers to attach a long paste or a page, which stays text until the user agrees: it may be the message itself. */
export function PasteOffer({ onDraft }: { onDraft(text: string): void }) {
  const { box } = usePanel();
  const attachPasted = useAttachPasted();
  const text = box.pasted.value;
  const draft = box.draft.value;
  if (text !== undefined && text.length > longestPastedText) {
    const count = formatNumber(text.length);
    return (
      <div class="paste-offer" role="alert">
        {l10n.t('{0} characters are too many to paste. Save them as a file and attach it.', count)}
      </div>
    );
  }
  if (text === undefined || !draft.includes(text)) return null;
  const page = pageAddress(text);
  const attach = () => {
    // An address stays in the message: it may be a part of a sentence, and loading it may be refused.
    if (!page) {
      const at = draft.lastIndexOf(text);
      onDraft(draft.slice(0, at) + draft.slice(at + text.length));
    }
    attachPasted();
  };
  return (
    <div class="paste-offer">
      <span>
        {page
          ? l10n.t('An address of {0} was pasted.', page.host)
          : l10n.t('{0} characters were pasted.', formatNumber(text.length))}
      </span>
      <button type="button" class="link-button" onClick={attach}>
        {page ? l10n.t('Attach Page') : l10n.t('Attach Instead')}
      </button>
    </div>
  );
}

function useAttachPasted(): () => void {
  const { box, post } = usePanel();
  return () => {
    const text = box.pasted.peek();
    if (text === undefined) return;
    box.pasted.value = undefined;
    const page = pageAddress(text);
    if (page) post({ type: 'attachPage', address: page.href });
    else post({ type: 'attachText', name: l10n.t('Pasted text'), text });
    box.focusWishes.value++;
  };
}
