import * as l10n from '@vscode/l10n';
import { useComputed, type ReadonlySignal } from '@preact/signals';
import {
  AnnotationNote,
  AnswerPictures,
  AwaitedInput,
  FailureView,
  Handoffs,
  Markdown,
  OutputFiles,
  StartPlanButton,
  Questions,
  RunGroup,
  Sources,
  Versions,
} from '../lazyComponents.tsx';
import { formatDuration } from '../../base/text/formatTime.ts';
import { AnswerActions } from './answerActions.tsx';
import { ContinueButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import type { IsSource } from '../markdown/citations/citationButtons.ts';
import { MiddleTruncated } from '../controls/middleTruncation.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';
import type { AssistantItem } from '../state/items.ts';

interface Props {
  item: AssistantItem;
  /** Follows tools of the same turn: a head would repeat the name. */
  isContinuation: boolean;
  isNewest: boolean;
}

export function AssistantEntry({ item, isContinuation, isNewest }: Props) {
  const { state, post } = usePanel();
  const ended = useComputed(() => item.end.value !== undefined);
  const hasText = useComputed(() => item.text.value !== '');
  const hasReasoning = useComputed(() => item.reasoning.value !== '');
  const isSource = useIsSource(item);
  const sources = useComputed(() => item.end.value?.sources);
  const end = item.end.value;
  const isStep = end?.isStep === true;
  const onContinue =
    isNewest && end?.canContinue ? () => post({ type: 'continueAnswer', id: item.id }) : undefined;
  const steps = item.steps.value;
  const { files = [], questions = [], awaits, annotation } = item.app.value ?? {};
  const pictures = item.pictures.value;
  const isEmpty = !hasText.value && !steps.length && !files.length && !pictures.length && !awaits;
  const isSilent = !hasText.value && !hasReasoning.value && !pictures.length;
  if (isStep && isContinuation && !item.version && !end.usage && isSilent) return null;
  const handoffs = state.permissions.value?.handoffs ?? [];
  const hasHandoffs = isNewest && end && !isStep && !end.failure && !item.app.value && handoffs.length > 0;
  const versions = item.version && <Versions id={item.id} version={item.version} />;
  return (
    <article class="entry assistant" aria-label={item.model} aria-busy={!ended.value} data-entry-id={item.id}>
      {isContinuation ? (
        versions
      ) : (
        <div class="entry-head">
          <MiddleTruncated class="model-name" name={item.model} />
          {!ended.value && <Icon name="loading" spin />}
          {versions}
        </div>
      )}
      {steps.length > 0 && (
        <RunGroup
          id={item.id}
          steps={steps}
          hasEnded={ended.value}
          hasFailed={item.end.value?.failure !== undefined}
          isWaiting={awaits !== undefined}
        />
      )}
      {hasReasoning.value && (
        <Reasoning
          id={item.id}
          text={item.reasoning}
          takenMs={item.reasoningMs.value}
          thinking={!hasText.value && !pictures.length && !ended.value}
          ended={ended}
          isSource={isSource}
        />
      )}
      {hasText.value && <Markdown text={item.text} ended={ended} isSource={isSource} sources={sources} />}
      {pictures.length > 0 && <AnswerPictures id={item.id} pictures={pictures} />}
      {files.length > 0 && <OutputFiles files={files} />}
      {end?.note && (
        <p class="note">
          <Icon name="info" />
          <span>{end.note}</span>
        </p>
      )}
      {end && annotation && <AnnotationNote annotation={annotation} />}
      {end?.failure && <FailureView failure={end.failure} id={item.id} onContinue={onContinue} />}
      {end && !end.failure && onContinue && <CutOffButtons id={item.id} onContinue={onContinue} />}
      {end && !isStep && !end.failure && !end.note && isEmpty && (
        <p class="note">{l10n.t('The answer is empty.')}</p>
      )}
      {end && awaits && <AwaitedInput id={item.id} awaits={awaits} />}
      {end?.hasPlan && isNewest && <StartPlanButton id={item.id} />}
      {hasHandoffs && <Handoffs />}
      {end?.sources && <Sources id={item.id} text={item.text.value} sources={end.sources} />}
      {end && (!isStep || end.usage) && (
        <AnswerActions item={item} end={end} hasRetry={onContinue !== undefined} isNewest={isNewest} />
      )}
      {isNewest && questions.length > 0 && <Questions questions={questions} />}
    </article>
  );
}

/** True for the numbers that open a source: those listed at the end, and while streaming those that may be listed. */
function useIsSource(item: AssistantItem): ReadonlySignal<IsSource> {
  return useComputed(() => {
    const ranges = item.citable.value;
    const listed = new Set(item.end.value?.sources?.map(({ n }) => n));
    return (n: number) => listed.has(n) || ranges.some(([first, last]) => first <= n && n <= last);
  });
}

function CutOffButtons({ id, onContinue }: { id: string; onContinue(): void }) {
  const { post } = usePanel();
  return (
    <div class="buttons">
      <ContinueButton onContinue={onContinue} />
      <button type="button" class="button secondary" onClick={() => post({ type: 'retryTurn', id: id })}>
        {l10n.t('Retry')}
      </button>
    </div>
  );
}

function inSeconds(ms: number): string {
  return formatDuration(Math.max(1000, Math.round(ms / 1000) * 1000), 'about');
}

interface ReasoningProps {
  id: string;
  text: ReadonlySignal<string>;
  takenMs: number | undefined;
  thinking: boolean;
  ended: ReadonlySignal<boolean>;
  isSource: ReadonlySignal<IsSource>;
}

function Reasoning({ id, text, takenMs, thinking, ended, isSource }: ReasoningProps) {
  const thought = takenMs === undefined ? l10n.t('Thought') : l10n.t('Thought for {0}', inSeconds(takenMs));
  const [open, setOpen] = useUnfolded(`${id}:reasoning`);
  return (
    <details class="reasoning" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron-right" />
        <span class={thinking ? 'thinking' : ''}>{thinking ? l10n.t('Thinking…') : thought}</span>
      </summary>
      {open && <Markdown text={text} ended={ended} isSource={isSource} />}
    </details>
  );
}
