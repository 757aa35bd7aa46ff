import * as l10n from '@vscode/l10n';
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { EditsEntry, FindBar, MessageEditor, SearchEntryView, UserActions } from '../lazyComponents.tsx';
import { Chip } from '../composer/attachments.tsx';
import { AssistantEntry } from './assistantEntry.tsx';
import { EmptyHint } from './emptyHint.tsx';
import { AutoScroll } from './autoScroll.ts';
import { EntryWindow } from './entryWindow.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { lazyComponent } from '../controls/lazyComponent.tsx';
import { reachesEnd } from '../state/entries.ts';
import type { Item, NoticeItem } from '../state/items.ts';
import type { EditBox } from '../state/pageState.ts';
import { ToolEntry } from '../tools/toolEntry.tsx';
import { foldToolCalls } from '../tools/foldToolCalls.ts';
import { onLinkClick } from '../controls/linkClicks.ts';
import { UserText } from './userText.tsx';
import { StayAtContext, usePanel, useUnfolded } from '../state/panel.ts';
import { ScrollAnchor } from './scrollAnchor.ts';
import { useRestoredView } from './restoreView.ts';

const AppStart = lazyComponent(() => import('../apps/appStart.tsx'), 'AppStart');
const ToolFold = lazyComponent(() => import('../tools/toolFold.tsx'), 'ToolFold');

export function Transcript() {
  const panel = usePanel();
  const { state } = panel;
  const { scroller, content, follower, view, following } = useEntryWindow();
  useConversationKeys(view);
  const items = state.items.value;
  const [first, total] = [state.first.value, state.total.value];
  const hasLater = !reachesEnd(state);
  const isEmpty = total === 0;
  const app = state.app.value;
  const isOpening = state.opening.value;
  const begins = app && !isOpening && !app.isStarted && (isEmpty || state.status.value.type === 'idle');
  useLayoutEffect(() => follower.current?.hold(isEmpty), [isEmpty]);
  const onScrolled = useRestoredView({ scroller, content, follower }, state.generation);
  const loading = state.loading.value;
  useLayoutEffect(() => view.current?.drawn(), [items, first, total, loading]);
  const onClick = (event: MouseEvent) => onLinkClick(event, panel.post);
  const stayAt = useCallback((place: () => void) => follower.current?.stayAt(place), [follower]);
  const onScroll = () => {
    onScrolled();
    view.current?.check();
  };

  return (
    <div class="transcript">
      {state.finding.value > 0 && <FindBar />}
      <div
        class="scroller"
        ref={scroller}
        onScroll={onScroll}
        onKeyDown={(event) => onEdgeKey(event, view.current)}
        tabIndex={isEmpty && !begins ? -1 : 0}
      >
        <div
          ref={content}
          class={!isEmpty || begins ? 'entries' : 'entries no-entries'}
          role="log"
          aria-label={l10n.t('Conversation')}
          aria-live="off"
          onClick={onClick}
          onAuxClick={onClick}
        >
          <StayAtContext.Provider value={stayAt}>
            {isOpening && (
              <p class="opening">
                <Icon name="loading" spin />
                {l10n.t('Loading conversation…')}
              </p>
            )}
            {isEmpty && !isOpening && !begins && <EmptyHint />}
            <Entries
              {...{ items, hasLater, view }}
              above={state.heights.room(0, first, total)}
              below={state.heights.room(first + items.length, total, total)}
            />
            {begins && <AppStart onForm={(start) => follower.current?.readFrom(start)} />}
          </StayAtContext.Provider>
        </div>
      </div>
      {!following.value && (
        <IconButton
          class="jump-to-end"
          name={l10n.t('Jump to the End')}
          icon="arrow-down"
          onClick={() => view.current?.toEnd()}
        />
      )}
    </div>
  );
}

function useEntryWindow() {
  const { state, post } = usePanel();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follower = useRef<AutoScroll>(null);
  const view = useRef<EntryWindow>(null);
  const following = useSignal(true);

  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    const parts = { scroller: scroller.current, content: content.current };
    const anchor = new ScrollAnchor(parts.scroller);
    const onFollowing = (value: boolean) => (following.value = value);
    const created = new AutoScroll(parts.scroller, parts.content, anchor, onFollowing);
    const entries = new EntryWindow({ state, post }, { ...parts, follower: created });
    const resizes = new ResizeObserver(() => entries.resized());
    resizes.observe(parts.scroller);
    follower.current = created;
    view.current = entries;
    return () => {
      resizes.disconnect();
      created.dispose();
    };
  }, [state, post, following]);
  const asked = state.asked.value;
  useEffect(() => {
    if (asked > 0) view.current?.toEnd();
  }, [asked]);
  useSignalEffect(() => {
    const sought = state.sought.value;
    if (sought) view.current?.seek(sought);
  });
  return { scroller, content, follower, view, following };
}

function useConversationKeys(view: RefObject<EntryWindow | null>): void {
  const { state, post } = usePanel();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMod = event.ctrlKey || event.metaKey;
      if (!isMod) return;
      const isArrow = event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown');
      if (event.key.toLowerCase() === 'f' && !event.altKey && !event.shiftKey) {
        state.finding.value++;
      } else if (isArrow && view.current) {
        const direction = event.key === 'ArrowUp' ? 'previous' : 'next';
        post({ type: 'findMessage', from: view.current.place, direction });
      } else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Captured before the editor, whose Ctrl+F widget this view doesn't have.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [state, post]);
}

function onEdgeKey(event: KeyboardEvent & { currentTarget: HTMLElement }, view: EntryWindow | null): void {
  if (event.target !== event.currentTarget || event.shiftKey || event.altKey) return;
  if (event.key !== 'Home' && event.key !== 'End') return;
  event.preventDefault();
  if (event.key === 'End') view?.toEnd();
  else view?.toStart();
}

function LoadButton({ label, onClick }: { label: string; onClick(): void }) {
  const { state } = usePanel();
  return (
    <button
      type="button"
      class="link-button load-more"
      aria-disabled={state.loading.value !== undefined}
      onClick={onClick}
    >
      {label}
    </button>
  );
}

interface EntriesProps {
  items: readonly Item[];
  hasLater: boolean;
  view: RefObject<EntryWindow | null>;
  /** Room of the entries before and after the loaded ones, in CSS pixels. */
  above: number;
  below: number;
}

/** The loaded entries, and the room of the others. In one list, so that an edited message stays when its place changes. */
function Entries({ items, hasLater, view, above, below }: EntriesProps) {
  const { state } = usePanel();
  const newestAnswer = hasLater ? undefined : items.findLast(({ type }) => type === 'assistant')?.id;
  const isRunning = useComputed(() => state.status.value.type !== 'idle');
  const openEnd = hasLater ? -1 : openEndOf(items);
  const edit = state.edit.value;
  const [first, total] = [state.first.value, state.total.value];
  const end = first + items.length;
  const at = edit && !items.some(({ id }) => id === edit.id) ? edit.index.value : -1;
  const room = (key: string, height: number) => <div key={key} style={{ height: `${height}px` }} />;
  const edited = edit && <EditedEntry key={`edit:${edit.id}`} box={edit} isFar={at >= 0} />;
  const around = (key: string, height: number, from: number, to: number) => {
    if (at < from || at >= to) return [room(key, height)];
    const [before, after] = [state.heights.room(from, at, total), state.heights.room(at + 1, to, total)];
    return [room(key, before), edited, room(`${key}:edit`, after)];
  };
  return (
    <>
      {[
        ...(first > 0 ? around('above', above, 0, first) : []),
        (first > 0 || state.isEndOnly.value) && (
          <LoadButton
            key="earlier"
            label={l10n.t('Load Earlier Messages')}
            onClick={() => view.current?.loadEarlier()}
          />
        ),
        ...foldToolCalls(items, isRunning.value).map((shown) =>
          shown.type === 'fold' ? (
            <ToolFold key={`${state.generation}:fold:${shown.items[0]?.id}`} items={shown.items} />
          ) : shown.item.id === edit?.id ? (
            edited
          ) : (
            <EntryView
              key={`${state.generation}:${shown.item.id}`}
              item={shown.item}
              isContinuation={followsTools(items, shown.index)}
              isNewest={shown.item.id === newestAnswer}
              isOpenEnd={shown.index === openEnd}
            />
          ),
        ),
        hasLater && (
          <LoadButton
            key="later"
            label={l10n.t('Load Later Messages')}
            onClick={() => view.current?.loadLater()}
          />
        ),
        ...(hasLater ? around('below', below, end, total) : []),
      ]}
    </>
  );
}

/** `isFar`: drawn apart from the loaded entries. */
function EditedEntry({ box, isFar }: { box: EditBox; isFar: boolean }) {
  return (
    <article
      class="entry user edited"
      aria-label={l10n.t('You')}
      data-entry-id={box.id}
      data-far={isFar || undefined}
    >
      <MessageEditor key={box.id} box={box} />
    </article>
  );
}

function openEndOf(items: readonly Item[]): number {
  const said = items.findLastIndex(({ type }) => type === 'user' || type === 'assistant');
  return items.findLastIndex(
    (item, index) => index > said && item.type === 'tool' && item.entry.value.remedy !== undefined,
  );
}

function followsTools(items: readonly Item[], index: number): boolean {
  let before = index - 1;
  while (items[before]?.type === 'notice') before--;
  return items[before]?.type === 'tool';
}

interface EntryProps {
  item: Item;
  isContinuation: boolean;
  isNewest: boolean;
  isOpenEnd: boolean;
}

function EntryView({ item, isContinuation, isNewest, isOpenEnd }: EntryProps) {
  switch (item.type) {
    case 'user':
      return (
        <article class="entry user" aria-label={l10n.t('You')} data-entry-id={item.id}>
          {item.attachments && (
            <ul class="chips" role="list" aria-label={l10n.t('Attachments')}>
              {item.attachments.map((chip) => (
                <Chip key={chip.id} chip={chip} />
              ))}
            </ul>
          )}
          {item.text.trim() && <UserText id={item.id} text={item.text} />}
          <UserActions item={item} />
        </article>
      );
    case 'assistant':
      // A fallback's answer keeps the failed one's id but has new signals.
      return (
        <AssistantEntry key={item.model} item={item} isContinuation={isContinuation} isNewest={isNewest} />
      );
    case 'tool':
      return <ToolEntry item={item} isOpenEnd={isOpenEnd} />;
    case 'edits':
      return <EditsEntry item={item} />;
    case 'search':
      return <SearchEntryView item={item} />;
    case 'notice':
      return <NoticeEntry item={item} />;
  }
}

function NoticeEntry({ item }: { item: NoticeItem }) {
  const { post } = usePanel();
  const { remedy } = item;
  const [open, setOpen] = useUnfolded(item.id);
  return (
    <div class="entry notice" role="note" data-entry-id={item.id}>
      <Icon name="info" />
      <div>
        {item.detail === undefined ? (
          <p>{item.text}</p>
        ) : (
          <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>
              <Icon name="chevron-right" />
              {item.text}
            </summary>
            <p class="notice-detail">{item.detail}</p>
          </details>
        )}
        {remedy && (
          <button
            type="button"
            class="button secondary"
            onClick={() => post({ type: 'applyRemedy', remedy: remedy.type, id: item.id })}
          >
            {remedy.label}
          </button>
        )}
      </div>
    </div>
  );
}
