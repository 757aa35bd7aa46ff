import * as l10n from '@vscode/l10n';
import { useComputed } from '@preact/signals';
import { AwaitedInput, OutputFiles, Questions, RunGroup } from './apps/parts.ts';
import { AnswerActions } from './answerActions.tsx';
import { ContinueButton } from './continueButton.tsx';
import { Icon } from './icon.tsx';
import { MiddleTruncated } from './middleTruncation.tsx';
import { usePanel } from './panel.ts';
import { Reasoning } from './reasoning.tsx';
import type { AssistantItem } from './state.ts';
import { FailureView, Markdown, PlanStart, Sources, Versions } from './parts.ts';

interface Props {
  item: AssistantItem;
  /** It continues a turn after tools, so its head would only repeat who speaks. */
  isContinuation: boolean;
  /** There is no newer answer. */
  isNewest: boolean;
}

/** An answer. Only what changed of it is drawn again: its text draws itself. */
export function AssistantEntry({ item, isContinuation, isNewest }: Props) {
  const { post } = usePanel();
  const ended = useComputed(() => item.end.value !== undefined);
  const hasText = useComputed(() => item.text.value !== '');
  const hasReasoning = useComputed(() => item.reasoning.value !== '');
  const isSource = useComputed(() => {
    const ranges = item.citable.value;
    const listed = new Set(item.end.value?.sources?.map(({ n }) => n));
    return (n: number) => listed.has(n) || ranges.some(([first, last]) => first <= n && n <= last);
  });
  const end = item.end.value;
  const isStep = end?.isStep === true;
  const goOn = isNewest && end?.canContinue ? () => post({ type: 'continueAnswer', id: item.id }) : undefined;
  const steps = item.steps.value;
  const { files = [], questions = [], awaits } = item.app.value ?? {};
  const isEmpty = !hasText.value && !steps.length && !files.length && !awaits;
  // A model that goes on calling tools without a word has nothing to show here.
  if (isStep && isContinuation && !item.version && !end.usage && !hasText.value && !hasReasoning.value)
    return null;
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
          thinking={!hasText.value && !ended.value}
          ended={ended}
          isSource={isSource}
        />
      )}
      {hasText.value && <Markdown text={item.text} ended={ended} isSource={isSource} />}
      {files.length > 0 && <OutputFiles files={files} />}
      {end?.note && (
        <p class="note">
          <Icon name="info" />
          <span>{end.note}</span>
        </p>
      )}
      {end?.failure && <FailureView failure={end.failure} id={item.id} onContinue={goOn} />}
      {end && !end.failure && goOn && (
        <div class="buttons">
          <ContinueButton onContinue={goOn} />
          <button
            type="button"
            class="button secondary"
            onClick={() => post({ type: 'retryTurn', id: item.id })}
          >
            {l10n.t('Retry')}
          </button>
        </div>
      )}
      {end && !isStep && !end.failure && !end.note && isEmpty && (
        <p class="note">{l10n.t('The answer is empty.')}</p>
      )}
      {end && awaits && <AwaitedInput id={item.id} awaits={awaits} />}
      {end?.hasPlan && isNewest && <PlanStart id={item.id} />}
      {end?.sources && <Sources id={item.id} text={item.text.value} sources={end.sources} />}
      {end && (!isStep || end.usage) && (
        <AnswerActions item={item} end={end} hasRetry={goOn !== undefined} isNewest={isNewest} />
      )}
      {isNewest && questions.length > 0 && <Questions questions={questions} />}
    </article>
  );
}
