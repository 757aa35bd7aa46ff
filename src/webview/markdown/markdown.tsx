import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { MarkdownStream } from './markdownStream.ts';

/** A text of a model, drawn as it grows. Its nodes are not the component tree's: they are changed block by block. */
export function Markdown({ text, ended }: { text: ReadonlySignal<string>; ended: ReadonlySignal<boolean> }) {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    const stream = new MarkdownStream(root.current);
    stream.start(text.peek(), ended.peek());
    const stop = effect(() => stream.show(text.value, ended.value));
    return () => {
      stop();
      stream.dispose();
    };
  }, [text, ended]);
  return <div class="markdown" ref={root} />;
}
