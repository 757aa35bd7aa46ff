import * as l10n from '@vscode/l10n';
import type { Location } from '../../shared/transcript.ts';
import type { ShownArguments, ToolEnd, ToolEntry as Entry, ToolState } from '../../shared/tools.ts';
import { formatDuration } from '../../base/text/formatTime.ts';
import { Arguments, CommandView, ToolQuestion } from '../lazyComponents.tsx';
import { Icon } from '../controls/icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';
import type { ToolItem } from '../state/items.ts';
import { ToolOutput } from './toolOutput.tsx';

interface Props {
  item: ToolItem;
  isOpenEnd: boolean;
}

export function ToolEntry({ item, isOpenEnd }: Props) {
  const { state: panel, post } = usePanel();
  const [open, setOpen] = useUnfolded(item.id);
  const entry = item.entry.value;
  const { id, name, message, state, question, end, note, remedy, command } = entry;
  return (
    <div class="entry tool" role="group" aria-label={l10n.t('Tool {0}', name)} data-entry-id={id}>
      <details
        class={`tool-card ${state}`}
        open={open}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          <Icon name={icons[state]} spin={state === 'running'} />
          <span class="tool-message" title={message}>
            {message}
          </span>
          <span class="tool-end">
            <span class="tool-state">{inWords(state, end)}</span>
            <Icon name="chevron-right" />
          </span>
        </summary>
        {open && <Unfolded entry={entry} />}
      </details>
      {command && (open || state !== 'done') && (
        <CommandView
          id={id}
          command={command}
          durationMs={state === 'failed' ? end?.durationMs : undefined}
          hasLines={!open || !end}
        />
      )}
      <Withheld messages={end?.withheld ?? []} />
      {note && (
        <p class="note">
          <Icon name="info" />
          <span>{note}</span>
        </p>
      )}
      {remedy && isOpenEnd && panel.status.value.type === 'idle' && (
        <button
          type="button"
          class="button secondary tool-continue"
          onClick={() => post({ type: 'applyRemedy', remedy: remedy.type, id })}
        >
          {remedy.label}
        </button>
      )}
      {question && <ToolQuestion id={id} question={question} />}
    </div>
  );
}

export function Withheld({ messages }: { messages: readonly string[] }) {
  return (
    <>
      {messages.map((message) => (
        <p key={message} class="note">
          <Icon name="shield" />
          <span>{message}</span>
        </p>
      ))}
    </>
  );
}

function Unfolded({ entry: { id, name, arguments: given, question, end, command } }: { entry: Entry }) {
  return (
    <div class="tool-body">
      <code class="tool-name">{name}</code>
      {question?.preview.type !== 'arguments' && hasRows(given) && <Arguments given={given} />}
      {end?.result && (
        <ToolOutput id={id} name={command ? l10n.t('Output') : l10n.t('Result')} text={end.result} />
      )}
      {end && end.locations.length > 0 && <Locations locations={end.locations} />}
    </div>
  );
}

function hasRows({ rows }: ShownArguments): boolean {
  return rows.length > 0;
}

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
      return l10n.t('needs approval');
    case 'running':
      return l10n.t('running');
    case 'done':
      // Calls from elsewhere have no duration.
      return end?.durationMs ? formatDuration(end.durationMs) : l10n.t('done');
    case 'failed':
      return l10n.t('failed');
    case 'denied':
      return l10n.t('denied');
    case 'stopped':
      return l10n.t('stopped');
  }
}
