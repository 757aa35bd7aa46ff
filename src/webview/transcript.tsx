import * as l10n from '@vscode/l10n';
import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { EditsEntry, ToolFold } from './approvals/parts.ts';
import { AppStart } from './apps/parts.ts';
import { Chip } from './attachmentChip.tsx';
import { AssistantEntry } from './assistantEntry.tsx';
import { EmptyHint } from './emptyHint.tsx';
import { AutoScroll } from './autoScroll.ts';
import { EntryWindow } from './entryWindow.ts';
import { Icon, IconButton } from './icon.tsx';
import { NoticeEntry } from './noticeEntry.tsx';
import { reachesEnd, type Item } from './state.ts';
import { ToolEntry } from './toolEntry.tsx';
import { foldRuns } from './toolRuns.ts';
import { onTranscriptClick } from './transcriptClicks.ts';
import { UserText } from './userText.tsx';
import { usePanel } from './panel.ts';
import { FindBar, SearchEntryView, UserActions } from './parts.ts';
import { ScrollAnchor } from './scrollAnchor.ts';
import { useKeptView } from './savedView.ts';

/** The conversation, which follows its end unless the reader went up. */
export function Transcript() {
  const panel = usePanel();
  const { state, post } = panel;
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

  const items = state.items.value;
  const [first, total] = [state.first.value, state.total.value];
  const hasLater = !reachesEnd(state);
  const isEmpty = total === 0;
  const newestAnswer = hasLater ? undefined : items.findLast(({ type }) => type === 'assistant')?.id;
  const isRunning = useComputed(() => state.status.value.type !== 'idle');
  const openEnd = hasLater ? -1 : openEndOf(items);
  const app = state.app.value;
  // While the first message is on its way nothing is to be filled in.
  const isOpening = state.opening.value;
  const begins = app && !isOpening && !app.isStarted && (isEmpty || state.status.value.type === 'idle');
  useLayoutEffect(() => follower.current?.hold(isEmpty), [isEmpty]);
  const onScrolled = useKeptView({ scroller, content, follower }, state.generation);
  const loading = state.loading.value;
  useLayoutEffect(() => view.current?.drawn(), [items, first, total, loading]);
  const asked = state.asked.value;
  // One's own message is always wanted in view.
  useEffect(() => {
    if (asked > 0) view.current?.toEnd();
  }, [asked]);
  const onKeyDown = (event: KeyboardEvent) => {
    // The browser would go to the edges of the room that is kept for entries, which moves while they come.
    if (event.target !== scroller.current || event.shiftKey || event.altKey) return;
    if (event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    if (event.key === 'End') view.current?.toEnd();
    else view.current?.toStart();
  };
  useSignalEffect(() => {
    const sought = state.sought.value;
    if (sought) view.current?.seek(sought);
  });
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
    // Before the editor, which takes Ctrl+F for a widget of its own that this view does not have.
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [state, post]);
  const onClick = (event: MouseEvent) =>
    onTranscriptClick(event, { panel, stayAt: (place) => follower.current?.stayAt(place) });
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
        onKeyDown={onKeyDown}
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
          {(first > 0 || state.isEndOnly.value) && (
            <>
              <div style={{ height: `${state.heights.room(0, first, total)}px` }} />
              <button
                type="button"
                class="link-button load-more"
                aria-disabled={loading !== undefined}
                onClick={() => view.current?.loadEarlier()}
              >
                {l10n.t('Load earlier messages')}
              </button>
            </>
          )}
          {isOpening && (
            <p class="opening">
              <Icon name="loading" spin />
              {l10n.t('Loading conversation…')}
            </p>
          )}
          {isEmpty && !isOpening && !begins && <EmptyHint />}
          {foldRuns(items, isRunning.value).map((shown) =>
            shown.type === 'fold' ? (
              <ToolFold key={`${state.generation}:fold:${shown.items[0]?.id}`} items={shown.items} />
            ) : (
              <EntryView
                key={`${state.generation}:${shown.item.id}`}
                item={shown.item}
                isContinuation={followsTools(items, shown.index)}
                isNewest={shown.item.id === newestAnswer}
                isOpenEnd={shown.index === openEnd}
              />
            ),
          )}
          {begins && <AppStart onForm={(start) => follower.current?.readFrom(start)} />}
          {hasLater && (
            <>
              <button
                type="button"
                class="link-button load-more"
                aria-disabled={loading !== undefined}
                onClick={() => view.current?.loadLater()}
              >
                {l10n.t('Load later messages')}
              </button>
              <div style={{ height: `${state.heights.room(first + items.length, total, total)}px` }} />
            </>
          )}
        </div>
      </div>
      {!following.value && (
        <IconButton
          class="jump-to-end"
          name={l10n.t('Jump to the end')}
          icon="arrow-down"
          onClick={() => view.current?.toEnd()}
        />
      )}
    </div>
  );
}

/** Where the turn can be gone on with: at the last call that did not run, if nothing was said since. */
function openEndOf(items: readonly Item[]): number {
  const said = items.findLastIndex(({ type }) => type === 'user' || type === 'assistant');
  return items.findLastIndex(
    (item, index) => index > said && item.type === 'tool' && item.entry.value.remedy !== undefined,
  );
}

/** An answer after tools goes on with the one before them, whatever notices stand between. */
function followsTools(items: readonly Item[], index: number): boolean {
  let before = index - 1;
  while (items[before]?.type === 'notice') before--;
  return items[before]?.type === 'tool';
}

interface EntryProps {
  item: Item;
  isContinuation: boolean;
  isNewest: boolean;
  /** The turn can be gone on with from here. */
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
      return <AssistantEntry item={item} isContinuation={isContinuation} isNewest={isNewest} />;
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
