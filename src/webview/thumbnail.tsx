import { signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { AttachmentChip } from '../shared/attachments.ts';
import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';
import { sidePx } from './thumbnails.ts';

/** The middle of an attached image. It is asked for when it comes into view. */
export function Thumbnail({ chip }: { chip: AttachmentChip }) {
  const { state, post } = usePanel();
  const frame = useRef<HTMLSpanElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const known = state.thumbnails.get(chip.id);
  const thumbnail = useRef(known ?? signal<ImageBitmap | undefined>(undefined)).current;
  const bitmap = thumbnail.value;
  useEffect(() => {
    const element = frame.current;
    if (!element || state.thumbnails.has(chip.id)) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      state.thumbnails.set(chip.id, thumbnail);
      post({ type: 'loadPicture', id: chip.id });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [chip.id]);
  useLayoutEffect(() => {
    if (bitmap) canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <span ref={frame} class="thumbnail">
      {!bitmap && <Icon name="file-media" />}
      <canvas ref={canvas} width={sidePx} height={sidePx} aria-hidden="true" hidden={!bitmap} />
    </span>
  );
}
