/** True for a text with the outer keys of an app's DSL. */
export function looksLikeFlow(text: string): boolean {
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}
