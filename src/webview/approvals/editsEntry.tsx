import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { DecideHunks, EditsEntry as Entry } from '../../shared/tools.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';
import type { EditsItem } from '../state/items.ts';
import { ChangeCount } from './diffLines.tsx';
import { HunkList } from './hunkList.tsx';

const icons = { keep: 'check', undo: 'discard', redo: 'redo' } as const;

export function EditsEntry({ item }: { item: EditsItem }) {
  const { state: panel, post } = usePanel();
  const { id, files } = item.entry.value;
  const isBusy = panel.status.value.type !== 'idle';
  const remaining = files.filter((file) => !file.state);
  const changed = files.filter(({ state }) => state !== 'undone' && state !== 'restored').length;
  const counted = files.filter(({ added }) => added !== undefined);
  const sum = (of: 'added' | 'removed') => counted.reduce((total, file) => total + (file[of] ?? 0), 0);
  const root = useRef<HTMLDivElement>(null);
  const pressed = useRef<{ selector: string; at: number }>(undefined);
  const buttons = (selector: string) => [...(root.current?.querySelectorAll<HTMLElement>(selector) ?? [])];
  const decide = (decision: DecideHunks['decision'], path?: string, key?: string) => {
    const place = key !== undefined ? 'hunk' : path !== undefined ? 'edits-file' : 'edits-head';
    const selector = `.${place} .edits-decisions > button:has(.codicon-${icons[decision]})`;
    const at = buttons(selector).findIndex((button) => button === document.activeElement);
    pressed.current = { selector, at: Math.max(0, at) };
    post({
      type: 'decideHunks',
      id,
      decision,
      ...(path !== undefined && { path }),
      ...(key !== undefined && { keys: [key] }),
    });
  };
  // The pressed button disappears with the host's answer. The focus never moves to one that decides on more, as Enter
  // may come again.
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (!pressed.current || root.current?.contains(activeElement)) return;
    const { selector, at } = pressed.current;
    pressed.current = undefined;
    if (activeElement !== document.body) return;
    const left = buttons(`${selector}:not([disabled])`);
    (left[Math.min(at, left.length - 1)] ?? root.current?.querySelector<HTMLElement>('button'))?.focus();
  }, [files, item.hunks.value]);
  return (
    <div ref={root} class="entry edits" role="group" aria-label={l10n.t('Changed files')} data-entry-id={id}>
      <div class="edits-head">
        <Icon name="diff-multiple" />
        <button
          type="button"
          class="link-button"
          title={l10n.t('Open all changes in this turn')}
          onClick={() => post({ type: 'showChanges', id })}
        >
          {changed === 0
            ? l10n.t('All changes undone')
            : plural(changed, l10n.t('1 file changed'), l10n.t('{0} files changed', formatNumber(changed)))}
        </button>
        {counted.length > 0 && <ChangeCount added={sum('added')} removed={sum('removed')} />}
        {remaining.length > 0 && (
          <span class="edits-decisions">
            <button type="button" class="button" disabled={isBusy} onClick={() => decide('keep')}>
              {l10n.t('Keep')}
            </button>
            <button type="button" class="button secondary" disabled={isBusy} onClick={() => decide('undo')}>
              {l10n.t('Undo')}
            </button>
          </span>
        )}
      </div>
      <ul role="list">
        {files.map((file) => (
          <FileRow
            key={file.path}
            item={item}
            file={file}
            isBusy={isBusy}
            isOnly={files.length === 1}
            decide={(decision, key) => decide(decision, file.path, key)}
          />
        ))}
      </ul>
    </div>
  );
}

interface RowProps {
  item: EditsItem;
  file: Entry['files'][number];
  isBusy: boolean;
  isOnly: boolean;
  decide(decision: DecideHunks['decision'], key?: string): void;
}

function FileRow({ item, file, isBusy, isOnly, decide }: RowProps) {
  const { post } = usePanel();
  const { id } = item;
  const { path, added, removed, state, problem, canRedo } = file;
  const [isUnfolded, setUnfolded] = useUnfolded(`${id}:hunks:${path}`);
  const isOpen = isUnfolded && !state;
  // Reloaded when the file changes, which decisions in other places cause, too.
  useEffect(() => {
    if (isOpen) post({ type: 'loadHunks', id, path });
  }, [isOpen, file]);
  return (
    <li>
      <div class="edits-file">
        {!state && (
          <IconButton
            class="edits-fold"
            name={isOpen ? l10n.t('Hide changes of {0}', path) : l10n.t('Show changes of {0}', path)}
            icon={isOpen ? 'chevron-down' : 'chevron-right'}
            aria-expanded={isOpen}
            onClick={() => setUnfolded(!isOpen)}
          />
        )}
        <button
          type="button"
          class="link-button"
          title={l10n.t('Open Diff')}
          onClick={() => post({ type: 'showChanges', id, path })}
        >
          {path}
        </button>
        {added !== undefined && <ChangeCount added={added} removed={removed ?? 0} />}
        {(state || canRedo) && (
          <span class="edits-decisions">
            {state && <span class="cut">{stateName(state)}</span>}
            {canRedo && (
              <IconButton
                name={l10n.t('Redo {0}', path)}
                icon="redo"
                disabled={isBusy}
                onClick={() => decide('redo')}
              />
            )}
          </span>
        )}
        {!state && !isOnly && (
          <span class="edits-decisions">
            <IconButton
              name={l10n.t('Keep {0}', path)}
              icon="check"
              disabled={isBusy}
              onClick={() => decide('keep')}
            />
            <IconButton
              name={l10n.t('Undo {0}', path)}
              icon="discard"
              disabled={isBusy}
              onClick={() => decide('undo')}
            />
          </span>
        )}
      </div>
      {problem && <p class="edits-problem">{problem}</p>}
      {isOpen && <HunkList loaded={item.hunks.value[path]} isBusy={isBusy} decide={decide} />}
    </li>
  );
}

function stateName(state: NonNullable<Entry['files'][number]['state']>): string {
  switch (state) {
    case 'kept':
      return l10n.t('kept');
    case 'undone':
      return l10n.t('undone');
    case 'reviewed':
      return l10n.t('reviewed');
    case 'restored':
      return l10n.t('restored');
  }
}
