import * as l10n from '@vscode/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AppView, FieldView } from '../../shared/apps.ts';
import { FailureView } from '../controls/failure.tsx';
import { Icon } from '../controls/icon.tsx';
import { MiddleTruncated } from '../controls/middleTruncation.tsx';
import { Markdown } from '../lazyComponents.tsx';
import { usePanel } from '../state/panel.ts';
import { AppIcon } from '../transcript/thumbnail.tsx';
import { Questions } from './appAnswer.tsx';
import { Fields } from './fields.tsx';

export function AppStart({ onForm }: { onForm: (start: HTMLElement) => void }) {
  const { state, post } = usePanel();
  const start = useRef<HTMLDivElement>(null);
  const app = state.app.value;
  if (!app) return null;
  const hasSpoken = state.items.value.some((item) => item.type === 'assistant' && item.model === app.name);
  return (
    <div ref={start} class="app-start">
      {!hasSpoken && <Greeting key={app.id} app={app} />}
      {app.state === 'loading' && (
        <p class="note">
          <Icon name="loading" spin />
          <span>{l10n.t('Loading app info…')}</span>
        </p>
      )}
      {!hasSpoken && app.failure && (
        <FailureView failure={app.failure} onRetry={() => post({ type: 'reloadApp' })} />
      )}
      {app.fields.length > 0 && (
        <AppForm
          key={`${state.generation}:${app.id}:${app.editsInputs}`}
          fields={app.fields}
          isEdited={app.editsInputs === true}
          onDrawn={() => start.current && onForm(start.current)}
        />
      )}
      {!hasSpoken && <Questions questions={app.suggestedQuestions} />}
    </div>
  );
}

function Greeting({ app }: { app: AppView }) {
  return (
    <article class="entry assistant" aria-label={app.name}>
      <div class="entry-head">
        {app.look && <AppIcon look={app.look} />}
        <MiddleTruncated class="model-name" name={app.name} />
        <span class="app-address">{app.address}</span>
      </div>
      {app.description && <p class="note">{app.description}</p>}
      {app.opening ? (
        <WholeText key={app.opening} text={app.opening} />
      ) : (
        app.state === 'ready' && <p class="app-ask">{l10n.t('Ask {0}', app.name)}</p>
      )}
    </article>
  );
}

/** Markdown that isn't streamed. */
export function WholeText({ text }: { text: string }) {
  const whole = useSignal(text);
  const ended = useSignal(true);
  const isSource = useComputed(() => () => false);
  return <Markdown text={whole} ended={ended} isSource={isSource} />;
}

interface FormProps {
  fields: readonly FieldView[];
  isEdited: boolean;
  onDrawn: () => void;
}

/** The inputs that an app needs before the first message. The host stores and validates them. */
function AppForm({ fields, isEdited, onDrawn }: FormProps) {
  const { post } = usePanel();
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(onDrawn, []);
  return (
    <form
      ref={form}
      class="app-form"
      aria-label={l10n.t('Inputs')}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      <Fields
        form={form}
        fields={fields}
        hint={
          isEdited
            ? l10n.t('Your next message sends these inputs, and so do all after it.')
            : l10n.t('Fill in this form before the first message.')
        }
      />
      {isEdited && (
        <button type="button" class="button secondary" onClick={() => post({ type: 'cancelInputs' })}>
          {l10n.t('Cancel')}
        </button>
      )}
    </form>
  );
}
