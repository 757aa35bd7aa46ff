import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Location, ToolEnd, ToolState } from '../shared/transcript.ts';
import { formatDuration } from '../base/format.ts';
import { Icon } from './icon.tsx';
import { usePanel } from './panel.ts';
import type { ToolItem } from './state.ts';
import { ToolQuestion } from './toolQuestion.tsx';

/** A tool call: what the model wanted, how it went, and all of it to unfold. */
export function ToolEntry({ item }: { item: ToolItem }) {
  const [open, setOpen] = useState(false);
  const state = item.state.value;
  const end = item.end.value;
  return (
    <div class="entry tool" role="group" aria-label={l10n.t('Tool {0}', item.name)}>
      <details class={`tool-card ${state}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name={icons[state]} spin={state === 'running'} />
          <span class="tool-name">{item.name}</span>
          <span class="tool-summary" title={item.summary}>
            {item.summary}
          </span>
          <span class="tool-state">{inWords(state, end)}</span>
          <Icon name="chevron-right" />
        </summary>
        {open && <Unfolded item={item} end={end} />}
      </details>
      {end?.withheld.map((sentence) => (
        <p key={sentence} class="note">
          <Icon name="shield" />
          <span>{sentence}</span>
        </p>
      ))}
      {state === 'asking' && <ToolQuestion entryId={item.id} />}
    </div>
  );
}

function Unfolded({ item, end }: { item: ToolItem; end: ToolEnd | undefined }) {
  return (
    <div class="tool-body">
      <pre role="group" aria-label={l10n.t('Arguments')} tabIndex={0}>
        {item.arguments}
      </pre>
      {end && (
        <pre role="group" aria-label={l10n.t('Result')} tabIndex={0}>
          {end.result}
        </pre>
      )}
      {end && end.locations.length > 0 && <Locations locations={end.locations} />}
    </div>
  );
}

/** More are in the result, as text. */
const shownLocations = 20;

function Locations({ locations }: { locations: readonly Location[] }) {
  const { post } = usePanel();
  return (
    <ul class="locations">
      {locations.slice(0, shownLocations).map((location) => (
        <li key={`${location.path}:${location.line ?? 0}`}>
          <button type="button" class="link-button" onClick={() => post({ type: 'openLocation', location })}>
            {location.line === undefined ? location.path : `${location.path}:${location.line}`}
          </button>
        </li>
      ))}
    </ul>
  );
}

const icons: Record<ToolState, string> = {
  waiting: 'circle-outline',
  asking: 'question',
  running: 'loading',
  done: 'check',
  failed: 'warning',
  denied: 'circle-slash',
  stopped: 'debug-stop',
};

function inWords(state: ToolState, end: ToolEnd | undefined): string {
  switch (state) {
    case 'waiting':
      return l10n.t('waiting');
    case 'asking':
      return l10n.t('asks you');
    case 'running':
      return l10n.t('running');
    case 'done':
      // Of what happened elsewhere nobody said how long it took.
      return end?.durationMs ? formatDuration(end.durationMs) : l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case 'stopped':
      return l10n.t('stopped');
  }
}
