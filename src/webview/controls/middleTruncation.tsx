const mostTail = 14;
const usualTail = 8;
const shortName = 10;
const segmenter = new Intl.Segmenter();

/** Splits a name where an ellipsis may go. Model names differ at their ends: "…-mini", "…-20251101". */
export function splitName(name: string): [head: string, tail: string] {
  if (name.length <= shortName) return [name, ''];
  const letters = Array.from(segmenter.segment(name), ({ segment }) => segment);
  if (letters.length <= shortName) return [name, ''];
  const most = Math.min(mostTail, Math.floor(letters.length / 2));
  const end = letters.slice(-most);
  const part = end.findIndex((letter, index) => /[-_.:/ ]/.test(letter) && index < most - 2);
  const at = letters.length - (part < 0 ? Math.min(usualTail, most) : most - part);
  return [letters.slice(0, at).join(''), letters.slice(at).join('')];
}

interface Props {
  name: string;
  fullName?: string;
  class: string;
}

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
