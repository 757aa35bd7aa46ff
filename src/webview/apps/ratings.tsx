import * as l10n from '@vscode/l10n';
import type { Rating } from '../../shared/apps.ts';
import { IconButton } from '../icon.tsx';
import { usePanel } from '../panel.ts';

/** What the user thinks of an answer; pressing again takes it back. */
export function Ratings({ id, rating }: { id: string; rating: Rating | undefined }) {
  const { post } = usePanel();
  const toggle = (wanted: Rating) =>
    post({ type: 'rateAnswer', id, ...(wanted !== rating && { rating: wanted }) });
  return (
    <>
      <IconButton
        name={l10n.t('Good answer')}
        icon={rating === 'like' ? 'thumbsup-filled' : 'thumbsup'}
        aria-pressed={rating === 'like'}
        onClick={() => toggle('like')}
      />
      <IconButton
        name={l10n.t('Bad answer')}
        icon={rating === 'dislike' ? 'thumbsdown-filled' : 'thumbsdown'}
        aria-pressed={rating === 'dislike'}
        onClick={() => toggle('dislike')}
      />
    </>
  );
}
