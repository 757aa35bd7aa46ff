import * as l10n from '@vscode/l10n';
import fuzzysort from 'fuzzysort';
import { formatNumber, plural } from '../../base/format.ts';
import { joinPath } from '../../tools/fileAccess.ts';
import { isWithheld } from '../../tools/policy/refusal.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { editorMentions } from './editorMentions.ts';
import { FileIndex } from './fileIndex.ts';
import { folderOf, nameOf, type FoundMentions, type Mention } from './mention.ts';
import { symbolMentions } from './symbolMentions.ts';

/** More files than this take too long to be looked through at each letter. */
export const mostFiles = 20_000;
const shownFiles = 20;
const shownEditors = 8;
const shownSymbols = 8;
/** Language servers are asked when there is enough to go by. */
const symbolLetters = 3;
/** A list of files is good for one mention being typed, not longer. */
const freshMs = 10_000;

/** Finds what a person may mean by `@query`. Never throws but for abort. */
export class MentionFinder {
  private index: { made: number; files: Promise<ListedFiles> } | undefined;

  constructor(
    private readonly needs: () => ToolDependencies,
    /** Where the tools may not list: the names are for the user alone. */
    private readonly listNames: (limit: number, signal: AbortSignal) => Promise<string[]>,
    private readonly now: () => number,
  ) {}

  /**
   * Gives more and more: each list begins with the one before, so that what a person is about to choose stays where
   * it is. The last one is whole.
   */
  async *find(query: string, signal: AbortSignal): AsyncGenerator<FoundMentions, void, void> {
    if (query.startsWith('#')) {
      yield { mentions: await symbolMentions(this.needs(), query.slice(1), shownFiles, signal) };
      return;
    }
    let found = matching(query, [...(await editorMentions(this.needs())), changes()]);
    yield { mentions: found };
    signal.throwIfAborted();
    const { index, note } = await this.files();
    signal.throwIfAborted();
    found = without([...found, ...(await this.literally(query)), ...index.find(query, shownFiles)]);
    yield { mentions: found, ...note };
    if (query.length < symbolLetters) return;
    signal.throwIfAborted();
    const symbols = await symbolMentions(this.needs(), query, shownSymbols, signal);
    if (symbols.length > 0) yield { mentions: [...found, ...symbols], ...note };
  }

  private files(): Promise<ListedFiles> {
    const now = this.now();
    if (!this.index || now - this.index.made > freshMs) {
      const files = this.listFiles().catch(() => ({ index: new FileIndex([]), note: {} }));
      this.index = { made: now, files };
    }
    return this.index.files;
  }

  private async listFiles(): Promise<ListedFiles> {
    // Not the query's signal: the list serves the next letters too. The search ends by itself in time.
    const { signal } = new AbortController();
    const query = { path: undefined, include: [], exclude: [], search: undefined, skip: 0, limit: mostFiles };
    const found = await this.needs().search.run(query, signal);
    if ('reason' in found) {
      const names = await this.listNames(mostFiles, signal);
      return listed(names, names.length >= mostFiles);
    }
    const { files, summary, isPartial } = found;
    // Without a summary the time was over before the files were.
    return listed(
      files.map(({ shown }) => shown),
      isPartial || summary?.hasMore !== false,
    );
  }

  /** A path written out, also one that is not offered: it is there, and the user learns why it cannot be sent. */
  private async literally(query: string): Promise<Mention[]> {
    if (query.length < 2) return [];
    const { policy, workspace } = this.needs();
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

interface ListedFiles {
  index: FileIndex;
  /** As `FoundMentions` has it. */
  note: Pick<FoundMentions, 'note'>;
}

function listed(paths: readonly string[], isCut: boolean): ListedFiles {
  const note = plural(
    paths.length,
    l10n.t('Only 1 file is listed. For another one, type its whole path.'),
    l10n.t(
      'Only the first {0} files are listed. For another one, type its whole path.',
      formatNumber(paths.length),
    ),
  );
  return { index: new FileIndex(paths), note: isCut ? { note } : {} };
}

function changes(): Mention {
  return {
    source: { type: 'changes' },
    kind: 'changes',
    label: l10n.t('Changes'),
    detail: l10n.t('since the last commit'),
  };
}

/** Those that fit the query by their own name or, for the nameless, by the word in either language. */
function matching(query: string, mentions: readonly Mention[]): Mention[] {
  if (query === '') return limitEditors(mentions);
  const targets = mentions.map((mention) => ({
    mention,
    text: mention.kind === 'editor' ? mention.label : `${mention.label} ${mention.kind}`,
  }));
  const found = fuzzysort.go(query, targets, { key: 'text', threshold: 0.4 });
  return limitEditors(found.map(({ obj }) => obj.mention));
}

function limitEditors(mentions: readonly Mention[]): Mention[] {
  let editors = 0;
  return mentions.filter(({ kind }) => kind !== 'editor' || ++editors <= shownEditors);
}

/** Without the files that an open editor stands for already, and without repetitions. */
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
