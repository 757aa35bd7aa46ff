/** True for a text with the outer keys of an app's DSL. */
export function looksLikeFlow(text: string): boolean {
  return /^app:/m.test(text) && (/^kind: ["']?app\b/m.test(text) || /^workflow:/m.test(text));
}

export function isYaml({ path, scheme }: { path: string; scheme: string }): boolean {
  return (scheme === 'file' || scheme === 'vscode-remote') && /\.ya?ml$/i.test(path);
}
