import { Readable } from 'node:stream';
import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { decodeText, detectEncoding } from '../../tools/files/decodeText.ts';
import { joinPath, relativeInside, type OpenFile } from '../../tools/files/fileSystem.ts';
import type { PolicyRun } from '../../tools/policy/policyRun.ts';
import { type GrantedFile, isWithheld, type Refusal, refuse } from '../../tools/policy/verdict.ts';
import { emptyCounts, walkFiles } from '../../tools/search/walkFiles.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import type { CommittedFile, WorkspaceFolder } from '../../tools/files/workspace.ts';
import type { LocalFile, LocalFiles, OpenLocalFile, RefusedFile } from './localFiles.ts';

/** The limit of a stream's buffer. With 64 KB, a large upload takes 40 MB more until collected. */
const pieceBytes = 16_384;

export function createLocalFiles(deps: ToolDependencies): LocalFiles {
  return new WorkspaceLocalFiles(deps);
}

class WorkspaceLocalFiles implements LocalFiles {
  constructor(private readonly deps: ToolDependencies) {}

  async *walk(path: string, signal: AbortSignal): AsyncGenerator<LocalFile | RefusedFile, void, void> {
    // A file named explicitly is the user's own choice.
    const verdict = await this.deps.policy.attach(path);
    if (verdict.isAllowed) {
      yield toLocalFile(verdict, await this.deps.texts.unsaved());
      return;
    }
    const run = this.deps.policy.start();
    const folder = verdict.reason === 'not-a-file' ? await run.check(path, 'list') : verdict;
    if (folder.isAllowed) yield* this.walkFolder(run, folder, signal);
    else yield refused(folder);
  }

  async check(path: string): Promise<LocalFile | RefusedFile> {
    const verdict = await this.deps.policy.attach(path);
    if (!verdict.isAllowed) return refused(verdict);
    return toLocalFile(verdict, await this.deps.texts.unsaved());
  }

  async open(realPath: string): Promise<OpenLocalFile | RefusedFile> {
    const { policy } = this.deps;
    const verdict = await policy.check(realPath, 'read');
    if (!verdict.isAllowed) return refused(verdict);
    if (verdict.realPath !== realPath) return refused(refuse('changed', verdict.shown));
    const file = await policy.open(verdict);
    return 'reason' in file ? refused(file) : new OpenedFile(file, verdict.shown);
  }

  workspaceName(path: string): string {
    const folders = this.deps.workspace.files.folders();
    return folders.length > 1 ? '' : ((this.folderOf(path)?.folder ?? folders[0])?.name ?? '');
  }

  shownPath(path: string): string {
    const place = this.folderOf(path);
    if (!place) return path;
    const hasOthers = this.deps.workspace.files.folders().length > 1;
    return hasOthers ? joinPath(place.folder.name, place.relative) : place.relative;
  }

  async committed(realPaths: readonly string[], signal: AbortSignal) {
    try {
      return await this.deps.workspace.sourceControl.committed(realPaths, signal);
    } catch {
      // Without Git, documents just have no commit.
      signal.throwIfAborted();
      return new Map<string, CommittedFile>();
    }
  }

  decode(bytes: Uint8Array, realPath: string): string | undefined {
    const encoding = detectEncoding(bytes, true, this.deps.workspace.files.encodingOf(realPath));
    return encoding && decodeText(bytes, encoding);
  }

  private folderOf(path: string): { folder: WorkspaceFolder; relative: string } | undefined {
    return this.deps.workspace.files
      .folders()
      .flatMap((folder) => {
        const relative = relativeInside(folder.path, path, false);
        return relative === undefined ? [] : [{ folder, relative }];
      })
      .toSorted((a, b) => a.relative.length - b.relative.length)[0];
  }

  private async *walkFolder(
    run: PolicyRun,
    { folder, relative, realPath }: GrantedFile,
    signal: AbortSignal,
  ): AsyncGenerator<LocalFile | RefusedFile, void, void> {
    const { access } = this.deps.workspace.files;
    const root = relative === '' ? realPath : realPath.slice(0, -relative.length - 1) || '/';
    const unsaved = await this.deps.texts.unsaved();
    let passedOver: RefusedFile[] = [];
    const walk = walkFiles(
      {
        access,
        run,
        counts: emptyCounts(),
        onPassedOver(path, reason) {
          const shown = run.shownPath(folder, path);
          passedOver.push(
            reason === 'link'
              ? {
                  path: shown,
                  refusal: l10n.t('"{0}" is a link, and links are not followed.', shown),
                  isWithheld: true,
                }
              : refused(refuse(reason, shown)),
          );
        },
      },
      root,
      relative,
      signal,
    );
    for await (const path of walk) {
      yield* passedOver;
      passedOver = [];
      const shown = run.shownPath(folder, path);
      const stat = await access.find(joinPath(root, path)).catch(() => undefined);
      // A file may be deleted meanwhile.
      if (stat) yield toLocalFile({ realPath: joinPath(root, path), shown, stat }, unsaved);
    }
    yield* passedOver;
  }
}

/** Reads through the open file only: its name may point to another one by now. */
class OpenedFile implements OpenLocalFile {
  readonly size: number;
  readonly mtimeMs: number;

  constructor(
    private readonly file: OpenFile,
    private readonly shown: string,
  ) {
    this.size = file.stat.size;
    this.mtimeMs = file.stat.mtimeMs;
  }

  stream(): Readable {
    return Readable.from(this.pieces(), { objectMode: false });
  }

  async head(length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.min(length, this.size));
    let filled = 0;
    while (filled < bytes.length) {
      const read = await this.file.read(bytes.subarray(filled), filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Exactly the announced bytes: a grown file is cut, a shrunk one fails. */
  private async *pieces(): AsyncGenerator<Uint8Array, void, void> {
    for (let position = 0; position < this.size;) {
      const piece = new Uint8Array(Math.min(pieceBytes, this.size - position));
      const read = await this.file.read(piece, position);
      if (read === 0) {
        throw new SwitchboardError(
          'local-file',
          l10n.t('"{0}" changed while it was being uploaded. Try again.', this.shown),
        );
      }
      yield piece.subarray(0, read);
      position += read;
    }
  }
}

function toLocalFile(
  { realPath, shown, stat }: Pick<GrantedFile, 'realPath' | 'shown' | 'stat'>,
  unsaved: ReadonlyMap<string, string>,
): LocalFile {
  return {
    realPath,
    path: shown,
    size: stat?.size ?? 0,
    mtimeMs: stat?.mtimeMs ?? 0,
    isUnsaved: unsaved.has(realPath),
  };
}

function refused({ path, reason, forUser }: Refusal): RefusedFile {
  const refusal =
    reason === 'no-folder' ? l10n.t('"{0}" can\'t be added. Open the folder it\'s in first.', path) : forUser;
  return {
    path,
    refusal,
    isWithheld: isWithheld(reason),
    ...(reason === 'not-found' && { isMissing: true }),
  };
}
