import { dialogsAbout } from '../../panel/present/callPreview.ts';
import { confirmModal } from '../ui/notifications.ts';

/** Confirms a text of a model or another program. The button comes only after all of the text was shown. */
export async function confirmText(question: string, action: string, text: string): Promise<boolean> {
  for (const dialog of dialogsAbout(text, action)) {
    if (!(await confirmModal(question, dialog.action, dialog.detail))) return false;
  }
  return true;
}
