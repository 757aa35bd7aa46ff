/** A text without its percent codes, as it stands where a percent sign begins no code, or a code no text. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
