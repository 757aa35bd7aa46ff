/**
 * The text of the box after the host replaced the draft. What was typed between sending and the host's word that it
 * took the message over stays in the box: `sent` is the text that was sent, if any was.
 */
export function mergeDraft(current: string, sent: string | undefined, replacement: string): string {
  if (sent === undefined || current === sent) return replacement;
  if (current.startsWith(sent)) return replacement + current.slice(sent.length).trimStart();
  return current;
}
