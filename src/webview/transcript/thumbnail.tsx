import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ShownLook } from '../../shared/apps.ts';
import type { ToHost } from '../../shared/protocol.ts';
import type { PageState } from '../state/pageState.ts';
import { usePanel } from '../state/panel.ts';
import type { Picture } from '../../shared/attachments.ts';

interface Props {
  id: string;
  load: ToHost;
  children?: ComponentChildren;
}

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

const sidePx = 64;

export async function receivePicture(
  thumbnails: PageState['thumbnails'],
  { id, base64 }: Picture,
): Promise<void> {
  const wanted = thumbnails.get(id);
  if (!wanted) return;
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const whole = await createImageBitmap(new Blob([bytes]));
    const side = Math.min(whole.width, whole.height);
    const [x, y] = [(whole.width - side) / 2, (whole.height - side) / 2];
    const size = { resizeWidth: sidePx, resizeHeight: sidePx, resizeQuality: 'medium' } as const;
    wanted.value = await createImageBitmap(whole, x, y, side, side, size);
    whole.close();
  } catch {
    // The icon stays; only the model has to see the image.
  }
}

export function AppIcon({ look: { icon, iconBackground, picture } }: { look: ShownLook }) {
  if (icon !== undefined) {
    return (
      <span class="app-look" aria-hidden="true" style={{ backgroundColor: iconBackground }}>
        {icon}
      </span>
    );
  }
  if (picture === undefined) return null;
  return (
    <span class="app-look" aria-hidden="true">
      <Thumbnail id={picture} load={{ type: 'loadAppPicture', file: picture }} />
    </span>
  );
}
