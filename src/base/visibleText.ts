/**
 * Characters that change how the text around them is read without being seen: C0 and C1 controls but tab and line
 * feed, soft hyphens, marks and overrides of direction, characters without width, separators, and tags. What joins or
 * colours emoji is left where it does just that.
 */
const unseen =
  /(?![\t\n])(?!(?<=\p{Extended_Pictographic})\ufe0f)(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The same text with what could deceive its reader written out, as `⟨U+202E⟩`. Line ends of Windows are line ends. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseen, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  });
}
