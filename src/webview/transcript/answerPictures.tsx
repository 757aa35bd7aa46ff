import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { signal, type Signal } from '@preact/signals';
import type { AnswerPicture } from '../../shared/pictures.ts';
import { Icon } from '../controls/icon.tsx';
import type { PageState } from '../state/pageState.ts';
import { usePanel } from '../state/panel.ts';

interface Props {
  id: string;
  pictures: readonly AnswerPicture[];
}

export function AnswerPictures({ id, pictures }: Props) {
  return (
    <ul class="answer-pictures" role="list" aria-label={l10n.t('Pictures')}>
      {pictures.map((picture, index) => (
        <li key={picture.file}>
          <PictureView id={id} picture={picture} number={index + 1} />
        </li>
      ))}
    </ul>
  );
}

interface PictureProps {
  id: string;
  picture: AnswerPicture;
  number: number;
}

/** In CSS pixels. */
const longestSide = 320;

/** Loaded when visible, in space reserved before. */
function PictureView({ id, picture, number }: PictureProps) {
  const { state, post } = usePanel();
  const { file, detail, width = 0, height = 0 } = picture;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const loaded = loadedPicture(state.answerPictures, file);
  const bitmap = loaded.value;
  const name = l10n.t('Picture {0} of answer', number);
  const scale = Math.min(1, longestSide / Math.max(width, height, 1));
  const room = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  useEffect(() => {
    const element = frame.current;
    if (!element || loaded.peek() !== undefined) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      post({ type: 'loadAnswerPicture', id, file });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [id, file]);
  useLayoutEffect(() => {
    if (!bitmap || bitmap === 'none' || !canvas.current) return;
    canvas.current.width = bitmap.width;
    canvas.current.height = bitmap.height;
    canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return (
    <div ref={frame} class="answer-picture" role="group" aria-label={name}>
      {width === 0 || bitmap === 'none' ? (
        <p class="note">
          <Icon name="file-media" /> {l10n.t('No preview')}
        </p>
      ) : (
        <canvas
          ref={canvas}
          {...room}
          role="img"
          aria-label={name}
          title={detail}
          style={{ width: `${room.width}px`, aspectRatio: `${room.width} / ${room.height}` }}
        />
      )}
      <div class="buttons">
        <button
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'openAnswerPicture', id, file })}
        >
          {l10n.t('Open')}
        </button>
        <button
          type="button"
          class="button secondary"
          onClick={() => post({ type: 'saveAnswerPicture', id, file })}
        >
          {l10n.t('Save…')}
        </button>
        <span class="picture-detail">{detail}</span>
      </div>
    </div>
  );
}

const longestSidePx = 640;

function loadedPicture(
  pictures: PageState['answerPictures'],
  file: string,
): Signal<ImageBitmap | 'none' | undefined> {
  const known = pictures.get(file) ?? signal(undefined);
  pictures.set(file, known);
  return known;
}

export async function receiveAnswerPicture(
  pictures: PageState['answerPictures'],
  { file, base64 }: { file: string; base64?: string | undefined },
): Promise<void> {
  const wanted = pictures.get(file);
  if (!wanted) return;
  try {
    const bytes = Uint8Array.from(atob(base64 ?? ''), (character) => character.charCodeAt(0));
    const whole = await createImageBitmap(new Blob([bytes]));
    const scale = Math.min(1, longestSidePx / Math.max(whole.width, whole.height));
    const [resizeWidth, resizeHeight] = [whole.width, whole.height].map((side) =>
      Math.max(1, Math.round(side * scale)),
    );
    wanted.value = await createImageBitmap(whole, { resizeWidth, resizeHeight, resizeQuality: 'medium' });
    whole.close();
  } catch {
    wanted.value = 'none';
  }
}
