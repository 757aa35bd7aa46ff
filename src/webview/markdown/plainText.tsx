import type { ReadonlySignal } from '@preact/signals';

/** A text of a model as it was written: what is seen where its formatting cannot be loaded. */
export function PlainText({ text }: { text: ReadonlySignal<string> }) {
  return (
    <div class="markdown" dir="auto">
      <div class="plain">{text}</div>
    </div>
  );
}
