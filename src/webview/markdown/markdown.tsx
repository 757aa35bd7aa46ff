import { effect, type ReadonlySignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import type { IsSource } from './citations.ts';
import { MarkdownStream } from './markdownStream.ts';

export interface MarkdownProps {
  text: ReadonlySignal<string>;
  ended: ReadonlySignal<boolean>;
  isSource: ReadonlySignal<IsSource>;
}

/** A text of a model, drawn as it grows. Its nodes are not the component tree's: they are changed block by block. */
export function Markdown({ text, ended, isSource }: MarkdownProps) {
  const { views } = usePanel();
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!root.current) return undefined;
    const stream = new MarkdownStream(root.current, (key) => views.isOpen(key) === true);
    stream.start({ text: text.peek(), ended: ended.peek(), isSource: isSource.peek() });
    const stop = effect(() =>
      stream.show({ text: text.value, ended: ended.value, isSource: isSource.value }),
    );
    return () => {
      stop();
      stream.dispose();
    };
  }, [text, ended, isSource, views]);
  return <div class="markdown" dir="auto" ref={root} />;
}
