import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ToHost } from '../shared/protocol.ts';
import { usePanel } from './panel.ts';
import { sidePx } from './thumbnails.ts';

interface Props {
  id: string;
  /** Asks the host for the picture. */
  load: ToHost;
  /** Until it is there, and for what is none. */
  children?: ComponentChildren;
}

/** The middle of a picture. It is asked for when it comes into view. */
export function Thumbnail({ id, load, children }: Props) {
  const { state, post } = usePanel();
  const frame = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const known = state.thumbnails.get(id);
  const thumbnail = useRef(known ?? signal<ImageBitmap | undefined>(undefined)).current;
  const bitmap = thumbnail.value;
  useEffect(() => {
    const element = frame.current;
    if (!element || state.thumbnails.has(id)) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      state.thumbnails.set(id, thumbnail);
      post(load);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [id]);
  useLayoutEffect(() => {
    if (bitmap) canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <span ref={frame} class="thumbnail">
      {!bitmap && children}
      <canvas ref={canvas} width={sidePx} height={sidePx} aria-hidden="true" hidden={!bitmap} />
    </span>
  );
}
