/** Path of the file of links in a workspace folder. It is meant to be committed and holds no key. */
export const linksFile = '.switchboard/flows.json';

/** True for a text with the outer keys of an app's DSL. */
export function looksLikeFlow(text: string): boolean {
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}
