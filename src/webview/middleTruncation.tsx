/** The end of a name that stays visible has at most so many characters. */
const mostTail = 14;
const usualTail = 8;
/** Shorter names fit anywhere, or lose no more than a letter or two. */
const shortName = 10;
const segmenter = new Intl.Segmenter();

/**
 * Cuts a name in two where an ellipsis may go: names of models differ at their ends ("…-mini", "…-20251101"). Both
 * parts together are the name.
 */
export function splitName(name: string): [head: string, tail: string] {
  if (name.length <= shortName) return [name, ''];
  const letters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  if (letters.length <= shortName) return [name, ''];
  const most = Math.min(mostTail, Math.floor(letters.length / 2));
  const end = letters.slice(-most);
  // The longest end that begins a part of its own: "-thinking", " mini".
  const part = end.findIndex((letter, index) => /[-_.:/ ]/.test(letter) && index < most - 2);
  const at = letters.length - (part < 0 ? Math.min(usualTail, most) : most - part);
  return [letters.slice(0, at).join(''), letters.slice(at).join('')];
}

interface Props {
  name: string;
  /** What is read out, where only a part of it is shown. */
  fullName?: string;
  class: string;
}

/** A name that is shortened in its middle where there is no room for all of it. */
export function MiddleTruncated({ name, fullName = name, class: extra }: Props) {
  const [head, tail] = splitName(name);
  const isWhole = !tail && name === fullName;
  return (
    <>
      {!isWhole && <span class="sr-only">{fullName}</span>}
      <span class={`middle-truncated ${extra}`} aria-hidden={!isWhole}>
        <span class="name-head">{head}</span>
        {tail && <span class="name-tail">{tail}</span>}
      </span>
    </>
  );
}
