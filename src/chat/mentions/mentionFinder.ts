import * as l10n from '@vscode/l10n';
import fuzzysort from 'fuzzysort';
import { joinPath } from '../../tools/files/fileSystem.ts';
import type { SymbolFound } from '../../tools/files/workspace.ts';
import { isWithheld } from '../../tools/policy/verdict.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { type FileListing, listFiles } from './fileListing.ts';
import { findPaths } from './findPaths.ts';
import { folderOf, type FoundMentions, type Mention, nameOf } from './mention.ts';

const shownFiles = 20;
/** Limit of the results before the listing is complete, as better ones may follow. */
const shownFirst = 8;
const shownEditors = 8;
const shownSymbols = 8;
const symbolLetters = 3;
const freshMs = 10_000;
/** A slow listing lives for this multiple of its duration. */
const freshTimes = 10;

export class MentionFinder {
  private listed: { listing: FileListing; freshUntil: number } | undefined;

  constructor(
    private readonly deps: () => ToolDependencies,
    private readonly listNames: (limit: number, signal: AbortSignal) => Promise<string[]>,
    private readonly now: () => number,
    private readonly others?: OtherMentions,
  ) {}

  /** Each list begins with the one before, so that no entry moves while the user chooses. Throws only when aborted. */
  async *find(query: string, signal: AbortSignal): AsyncGenerator<FoundMentions, void, void> {
    if (query.startsWith('#')) {
      yield { mentions: await symbolMentions(this.deps(), query.slice(1), shownFiles, signal) };
      return;
    }
    const others = this.others ? otherMentions(this.others, query !== '') : [];
    let found = matching(query, [...(await editorMentions(this.deps())), changes(), ...others]);
    yield { mentions: found };
    signal.throwIfAborted();
    const listing = this.files();
    const first = await listing.first;
    const literal = await this.literally(query);
    signal.throwIfAborted();
    if (!listing.isComplete) {
      found = without([...found, ...literal, ...findPaths(query, first, shownFirst)]);
      yield { mentions: found };
    }
    const { note, ...all } = await listing.all;
    signal.throwIfAborted();
    found = without([...found, ...literal, ...findPaths(query, all, shownFiles)]);
    yield { mentions: found, ...(note && { note }) };
    if (query.length < symbolLetters) return;
    signal.throwIfAborted();
    const symbols = await symbolMentions(this.deps(), query, shownSymbols, signal);
    if (symbols.length > 0) yield { mentions: [...found, ...symbols], ...(note && { note }) };
  }

  private files(): FileListing {
    const started = this.now();
    if (this.listed && started <= this.listed.freshUntil) return this.listed.listing;
    const listing = listFiles(this.deps(), this.listNames);
    const listed = { listing, freshUntil: Number.POSITIVE_INFINITY };
    this.listed = listed;
    void listing.all.then(() => {
      const ended = this.now();
      listed.freshUntil = ended + Math.max(freshMs, (ended - started) * freshTimes);
    });
    return listing;
  }

  /** A path typed in full, even if it can't be sent: the user then learns why. */
  private async literally(query: string): Promise<Mention[]> {
    if (query.length < 2) return [];
    const { policy, workspace } = this.deps();
    const verdict = await policy.check(query, 'attach');
    const folder = folderOf(query);
    const mention: Mention = {
      source: { type: 'path', path: query },
      kind: 'file',
      label: nameOf(query),
      ...(folder && { detail: folder }),
    };
    if (verdict.isAllowed) return [mention];
    if (!isWithheld(verdict.reason) || verdict.reason === 'outside') return [];
    const places = workspace.files.folders().map(({ path }) => joinPath(path, query));
    const there = await Promise.all(
      places.map((path) => workspace.files.access.find(path).catch(() => undefined)),
    );
    return there.some(Boolean) ? [{ ...mention, problem: verdict.forUser }] : [];
  }
}

function changes(): Mention {
  return {
    source: { type: 'changes' },
    kind: 'changes',
    label: l10n.t('Changes'),
    detail: l10n.t('since the last commit'),
  };
}

/** Unnamed mentions match by their label in either language. */
function matching(query: string, mentions: readonly Mention[]): Mention[] {
  if (query === '') return limitEditors(mentions);
  const targets = mentions.map((mention) => ({
    mention,
    text:
      mention.kind === 'editor'
        ? mention.label
        : [mention.label, mention.kind, mention.words].filter(Boolean).join(' '),
  }));
  const found = fuzzysort.go(query, targets, { key: 'text', threshold: 0.4 });
  return limitEditors(found.map(({ obj }) => obj.mention));
}

function limitEditors(mentions: readonly Mention[]): Mention[] {
  let editors = 0;
  return mentions.filter(({ kind }) => kind !== 'editor' || ++editors <= shownEditors);
}

function without(mentions: readonly Mention[]): Mention[] {
  const seen = new Set<string>();
  return mentions.filter(({ kind, label, detail = '' }) => {
    if (kind !== 'editor' && kind !== 'file' && kind !== 'folder') return true;
    const key = `${detail}/${label}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export interface OtherMentions {
  terminal(): { line?: string | undefined; problem?: string | undefined };
  attachTerminal(): Promise<unknown>;
  attachPage(): Promise<unknown>;
}

/** @param isTyped true if a name is typed: what can't be attached is offered then, with the reason */
function otherMentions(others: OtherMentions, isTyped: boolean): Mention[] {
  const { line, problem } = others.terminal();
  const terminal: Mention = {
    attach: () => others.attachTerminal(),
    kind: 'terminal',
    label: l10n.t('Terminal'),
    detail: line ?? '',
    ...(problem !== undefined && { problem }),
  };
  const page: Mention = {
    attach: () => others.attachPage(),
    kind: 'page',
    label: l10n.t('Web Page'),
    detail: l10n.t('by its address'),
    words: 'url link',
  };
  return [...(problem === undefined || isTyped ? [terminal] : []), page];
}

/** Symbols of the active editor first, then of the workspace. */
async function symbolMentions(
  { workspace, policy }: ToolDependencies,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Mention[]> {
  const { languages, editors } = workspace;
  const active = editors.open().find(({ isActive }) => isActive);
  const nothing = (): SymbolFound[] => [];
  const [here, everywhere] = await Promise.all([
    active ? languages.documentSymbols(active.path, signal).catch(nothing) : [],
    query === '' ? [] : languages.workspaceSymbols(query, signal).catch(nothing),
  ]);
  const wanted = query.toLowerCase();
  const run = policy.start();
  const mentions: Mention[] = [];
  const seen = new Set<string>();
  for (const { name, kind, path, range } of [
    ...here.filter((symbol) => symbol.name.toLowerCase().includes(wanted)),
    ...everywhere,
  ]) {
    // Providers of a workspace add parentheses to the names of functions.
    const key = `${path}:${range.start.line}:${name.replace(/\(.*/, '')}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const verdict = await run.check(path, 'attach');
    if (!verdict.isAllowed) continue;
    mentions.push({
      source: { type: 'range', path, startLine: range.start.line, endLine: range.end.line, name },
      kind: 'symbol',
      label: name,
      detail: `${kind} · ${verdict.shown}:${range.start.line}`,
    });
    if (mentions.length >= limit) break;
  }
  return mentions;
}

async function editorMentions({ workspace, policy }: ToolDependencies): Promise<Mention[]> {
  const run = policy.start();
  const editors = workspace.editors.open().toSorted((a, b) => weight(b) - weight(a));
  const mentions: Mention[] = [];
  const tabs: Mention[] = [];
  for (const { path, selection } of editors) {
    const verdict = await run.check(path, 'attach');
    const shown = verdict.isAllowed ? verdict.shown : nameOf(path);
    const problem = verdict.isAllowed ? {} : { problem: verdict.forUser };
    const folder = folderOf(shown);
    tabs.push({
      source: { type: 'path', path, isEditor: true },
      kind: 'editor',
      label: nameOf(shown),
      ...(folder && { detail: folder }),
      ...problem,
    });
    if (!selection || mentions.length > 0) continue;
    const startLine = selection.start.line;
    // A selection of whole lines ends at the start of the next line.
    const endLine =
      selection.end.column === 1 && selection.end.line > startLine
        ? selection.end.line - 1
        : selection.end.line;
    mentions.push({
      source: { type: 'range', path, startLine, endLine },
      kind: 'selection',
      label: l10n.t('Selection'),
      detail: `${shown}:${startLine}${endLine > startLine ? `–${endLine}` : ''}`,
      ...problem,
    });
  }
  return [...mentions, ...tabs, ...problemMentions(workspace.languages.diagnostics().length)];
}

function problemMentions(count: number): Mention[] {
  return [
    {
      source: { type: 'problems' },
      kind: 'problems',
      label: l10n.t('Problems'),
      detail: count === 0 ? l10n.t('none') : String(count),
    },
  ];
}

function weight({ isActive, isVisible }: { isActive: boolean; isVisible: boolean }): number {
  return isActive ? 2 : isVisible ? 1 : 0;
}
