import * as l10n from '@vscode/l10n';
import { signal } from '@preact/signals';
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import { describeSourceState } from '../../shared/knowledge.ts';
import type { Source, SourceState, SourceStates } from '../../shared/knowledge.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel, useUnfolded } from '../state/panel.ts';
import type { Block } from '../markdown/blocks.ts';
import { BlockReader } from '../markdown/blockReader.ts';
import { numbersIn } from '../markdown/citations/citationButtons.ts';

interface Props {
  id: string;
  text: string;
  sources: readonly Source[];
}

const fewSources = 4;
/** In ms per task. */
const searchMs = 10;

export function Sources({ id, text, sources }: Props) {
  const [showsAll, setShowsAll] = useUnfolded(`${id}:sources`);
  const states = useStates(id);
  const cited = useCited(text);
  if (!cited) return null;
  const isCited = ({ n, isUsed }: Source) => cited.has(n) || isUsed === true;
  const listed = [
    ...sources.filter(isCited),
    ...sources.filter((source) => !isCited(source) && !source.isEarlier),
  ];
  const count = Math.max(fewSources, sources.filter(isCited).length);
  const shown = showsAll || listed.length <= count + 1 ? listed : listed.slice(0, count);
  if (listed.length === 0) return null;
  return (
    <div class="sources">
      <p class="sources-title" aria-hidden="true">
        {l10n.t('Sources')}
      </p>
      <ul role="list" aria-label={l10n.t('Sources')}>
        {shown.map((source) => (
          <SourceRow
            key={source.n}
            id={id}
            source={source}
            isCited={isCited(source)}
            state={states.find(({ n }) => n === source.n)?.state}
          />
        ))}
      </ul>
      {shown.length < listed.length && (
        <button type="button" class="link-button" onClick={() => setShowsAll(true)}>
          {l10n.t('Show {0} More, Not Cited', formatNumber(listed.length - shown.length))}
        </button>
      )}
    </div>
  );
}

function useCited(text: string): ReadonlySet<number> | undefined {
  const [cited, setCited] = useState<ReadonlySet<number>>();
  useLayoutEffect(() => {
    const search = new CitationSearch(text);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const searchOn = () => {
      const found = search.search(searchMs);
      if (found) setCited(found);
      else timer = setTimeout(searchOn);
    };
    searchOn();
    return () => clearTimeout(timer);
  }, [text]);
  return cited;
}

function useStates(id: string): SourceStates {
  const { post, state } = usePanel();
  const states = useMemo(() => signal<SourceStates>([]), [id]);
  useLayoutEffect(() => {
    state.sourceStates.set(id, states);
    const tell = () => {
      // The list may be drawn again in the same frame.
      queueMicrotask(() => post({ type: 'showSources', ids: [...state.sourceStates.keys()] }));
    };
    tell();
    return () => {
      if (state.sourceStates.get(id) === states) state.sourceStates.delete(id);
      tell();
    };
  }, [id, states, state, post]);
  return states.value;
}

interface RowProps {
  id: string;
  source: Source;
  isCited: boolean;
  state: SourceState | undefined;
}

function SourceRow({ id, source, isCited, state }: RowProps) {
  const { post } = usePanel();
  const [open, setOpen] = useUnfolded(`${id}:source:${source.n}`);
  const { n, document, base, score, content, location } = source;
  const isProblem = state?.type === 'changed' || state?.type === 'gone';
  // The selection may cover other lines by now.
  const isUpdate = state?.type === 'changed' && location?.line === undefined;
  const facts = [
    base,
    score !== undefined && l10n.t('score {0}', formatNumber(score, 2)),
    !isProblem && describeSourceState(state),
    !isCited && l10n.t('not cited'),
  ].filter(Boolean);
  return (
    <li class={isCited ? 'source' : 'source uncited'}>
      <div class="source-line">
        {content !== undefined && (
          <IconButton
            name={l10n.t('Segment of source {0}', n)}
            icon={open ? 'chevron-down' : 'chevron-right'}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          />
        )}
        <div class="source-text">
          <button
            type="button"
            class="source-open"
            title={placeOf(source, state)}
            onClick={() => post({ type: 'openSource', id, n })}
          >
            <span class="source-number">{n}</span> <span class="source-name">{document}</span>
          </button>
          <span class="source-facts">{facts.join(' · ')}</span>
          {state?.type === 'changed' && (
            <button
              type="button"
              class="link-button source-changed"
              title={l10n.t('Compare with the indexed text')}
              onClick={() => post({ type: 'compareSource', id, n })}
            >
              <Icon name="diff" /> {describeSourceState(state)}
            </button>
          )}
          {state?.type === 'gone' && (
            <span class="source-changed">
              <Icon name="warning" /> {describeSourceState(state)}
            </span>
          )}
        </div>
        {location && state?.type !== 'gone' && (
          <IconButton
            name={isUpdate ? l10n.t('Re-upload to Knowledge Base') : l10n.t('Add to Knowledge Base')}
            aria-description={location.path}
            icon="cloud-upload"
            onClick={() => post({ type: isUpdate ? 'updateSource' : 'addSource', id, n })}
          />
        )}
      </div>
      {open && (
        <pre role="group" aria-label={l10n.t('Segment of source {0}', n)} tabIndex={0}>
          {content}
        </pre>
      )}
    </li>
  );
}

function placeOf({ document, location }: Source, state: SourceState | undefined): string {
  if (!location) return document;
  const line = state && 'lines' in state ? state.lines?.startLine : location.line;
  return line === undefined ? location.path : `${location.path}:${line}`;
}

export class CitationSearch {
  private readonly reader = new BlockReader();
  private readonly found: number[][] = [];
  private isDone: boolean;

  constructor(private readonly text: string) {
    this.isDone = !text.includes('[');
  }

  search(ms = Infinity): Set<number> | undefined {
    const until = performance.now() + ms;
    while (!this.isDone && performance.now() < until) {
      const { from, blocks, isComplete } = this.reader.read(this.text, true);
      this.found.splice(from, isComplete ? Infinity : blocks.length, ...blocks.map(citedIn));
      this.isDone = isComplete;
    }
    return this.isDone ? new Set(this.found.flat()) : undefined;
  }
}

/** Reads the renderer's own markup; a text that looks like it is escaped. */
function citedIn(block: Block): number[] {
  const html = block.type === 'html' ? [block.html] : [];
  if ('items' in block) html.push(block.open, ...block.items.map((item) => item.html));
  return html.flatMap((each) =>
    [...each.matchAll(/<span class="citation">(.*?)<\/span>/g)].flatMap(([, inside = '']) =>
      numbersIn(inside),
    ),
  );
}
