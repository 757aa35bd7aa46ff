import * as l10n from '@vscode/l10n';
import type { Annotation, AnswerApp, Rating } from '../../shared/apps.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { assertNever } from '../../base/errors/errors.ts';

interface Props {
  id: string;
  awaits: NonNullable<AnswerApp['awaits']>;
}

export function AwaitedInput({ id, awaits: { titles, place } }: Props) {
  const { post } = usePanel();
  const { text, action } = wordsFor(place);
  return (
    <div class="awaited" role="group" aria-label={l10n.t('Waiting for human input')}>
      <p class="note">
        <Icon name="debug-pause" />
        <span>
          {titles.length > 0 && <strong>{titles.join(', ')}</strong>}
          <span>{text}</span>
        </span>
      </p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => post({ type: 'provideInput', id })}>
          {action}
        </button>
        <button type="button" class="button secondary" onClick={() => post({ type: 'stopWaiting', id })}>
          {l10n.t('Stop Waiting')}
        </button>
      </div>
    </div>
  );
}

function wordsFor(place: Props['awaits']['place']): { text: string; action: string } {
  switch (place) {
    case 'here':
      return {
        text: l10n.t('Waiting for human input to continue this answer.'),
        action: l10n.t('Fill In Form…'),
      };
    case 'platform':
      return {
        text: l10n.t('Waiting for human input on the platform. Provide it there to continue this answer.'),
        action: l10n.t('Check Status'),
      };
    case 'submitted':
      return {
        text: l10n.t("The form was submitted. The rest of this answer hasn't loaded yet."),
        action: l10n.t('Check Status'),
      };
    default:
      return assertNever(place);
  }
}

export function OutputFiles({ files }: Pick<AnswerApp, 'files'>) {
  const { post } = usePanel();
  return (
    <ul class="output-files" role="list" aria-label={l10n.t('Files')}>
      {files.map(({ name, address }) => (
        <li key={address}>
          <button
            type="button"
            class="link-button"
            title={address}
            onClick={() => post({ type: 'openLink', href: address })}
          >
            <Icon name="file" /> {name}
          </button>
        </li>
      ))}
    </ul>
  );
}

export function Questions({ questions }: { questions: readonly string[] }) {
  const { state, post } = usePanel();
  if (questions.length === 0) return null;
  const isBusy = state.status.value.type !== 'idle';
  return (
    <div class="questions" role="group" aria-label={l10n.t('Suggested questions')}>
      {questions.map((text) => (
        <button
          key={text}
          type="button"
          class="question"
          disabled={isBusy}
          onClick={() => post({ type: 'sendSuggestion', text })}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

export function AnnotationNote({ annotation }: { annotation: Annotation }) {
  return (
    <p class="note">
      <Icon name="bookmark" />
      <span>
        {annotation === 'used' ? l10n.t('Answered by an annotation.') : l10n.t('Saved as an annotation.')}
      </span>
    </p>
  );
}

interface RatingsProps {
  id: string;
  app: AnswerApp;
  hasText: boolean;
}

export function Ratings({ id, app: { rating, annotation }, hasText }: RatingsProps) {
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
      {hasText && rating === 'like' && !annotation && (
        <IconButton
          name={l10n.t('Save as Annotation…')}
          icon="bookmark"
          onClick={() => post({ type: 'saveAnnotation', id })}
        />
      )}
    </>
  );
}
