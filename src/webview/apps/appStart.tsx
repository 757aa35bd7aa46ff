import * as l10n from '@vscode/l10n';
import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { AppView } from '../../shared/apps.ts';
import { FailureView } from '../failure.tsx';
import { Icon } from '../icon.tsx';
import { MiddleTruncated } from '../middleTruncation.tsx';
import { Markdown } from '../parts.ts';
import { usePanel } from '../panel.ts';
import { AppForm } from './appForm.tsx';
import { AppLook } from './appLook.tsx';
import { Questions } from './questions.tsx';

/**
 * How a conversation with an app begins: what the app says first, what it may be asked, and the form it wants.
 * @param onForm called with all of it when the form is there
 */
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
      {/* An answer that failed says the same. */}
      {!hasSpoken && app.failure && (
        <FailureView failure={app.failure} onRetry={() => post({ type: 'reloadApp' })} />
      )}
      {app.fields.length > 0 && (
        <AppForm
          key={`${state.generation}:${app.id}`}
          fields={app.fields}
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
        {app.look && <AppLook look={app.look} />}
        <MiddleTruncated class="model-name" name={app.name} />
        <span class="app-address">{app.address}</span>
      </div>
      {app.description && <p class="note">{app.description}</p>}
      {app.opening ? (
        <Opening key={app.opening} text={app.opening} />
      ) : (
        app.state === 'ready' && <p class="app-ask">{l10n.t('Ask {0}', app.name)}</p>
      )}
    </article>
  );
}

function Opening({ text }: { text: string }) {
  const whole = useSignal(text);
  const ended = useSignal(true);
  const isSource = useComputed(() => () => false);
  return <Markdown text={whole} ended={ended} isSource={isSource} />;
}
