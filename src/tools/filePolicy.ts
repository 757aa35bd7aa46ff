import type { OpenFile } from './fileAccess.ts';
import { HardLinks } from './policy/hardLinks.ts';
import { PolicyRun, systemReason, type PolicyOptions } from './policy/policyRun.ts';
import { type Refusal, refuse } from './policy/refusal.ts';
import type { FileUse, GrantedFile, Verdict } from './policy/verdict.ts';
import type { Files } from './workspace.ts';

/**
 * The one gate between files and models: reading, searching, mentions, attachments and uploads all ask here. It
 * fails closed: what cannot be looked up, resolved or understood is refused.
 *
 * A verdict is about a moment. A caller that waits after it (for an approval) asks `recheck`; one that reads uses
 * `open`, which makes sure that what it opened is the very file that was judged.
 */
export class FilePolicy {
  private readonly attached = new Set<string>();
  private readonly hardLinks: HardLinks;

  constructor(
    private readonly files: Files,
    private readonly options: PolicyOptions = { platform: process.platform },
  ) {
    this.hardLinks = new HardLinks(files.access);
  }

  /** Judges a path as a model or the user gave it. Never throws. */
  check(path: string, use: FileUse): Promise<Verdict> {
    return this.start().check(path, use);
  }

  /** Judges a file the user chose, and remembers it: it may be read even in an untrusted workspace. */
  async attach(path: string): Promise<Verdict> {
    const verdict = await this.check(path, 'attach');
    if (verdict.isAllowed) this.attached.add(verdict.realPath);
    return verdict;
  }

  /** Judges again, after time went by: the same name must still mean the same file. */
  async recheck(file: GrantedFile): Promise<Verdict> {
    const again = await this.check(file.realPath, file.use);
    if (!again.isAllowed) return again;
    return again.realPath === file.realPath ? again : refuse('changed', file.shown);
  }

  /** Opens a file for reading and proves that it is the one that was judged. The caller closes it. */
  async open(file: GrantedFile): Promise<OpenFile | Refusal> {
    const { access } = this.files;
    let open: OpenFile;
    try {
      open = await access.open(file.realPath);
    } catch (error) {
      return refuse(systemReason(error), file.shown);
    }
    const isSame = await this.isJudged(open, file).catch(() => false);
    if (isSame && open.stat.type === 'file') return open;
    await open.close();
    return refuse(isSame ? 'not-a-file' : 'changed', file.shown);
  }

  /**
   * Folders above a file may have become links between judging and opening. Best is the system's own word on where
   * the open file lies. Without it: if the path has no links, before and after what lies there was seen to be what
   * was opened, then what was opened lies inside.
   */
  private async isJudged(open: OpenFile, { realPath }: GrantedFile): Promise<boolean> {
    if (open.realPath !== undefined) return open.realPath === realPath;
    const { access } = this.files;
    const before = await access.realPath(realPath);
    const { type, identity } = await access.stat(realPath);
    const after = await access.realPath(realPath);
    return before === realPath && after === realPath && type === 'file' && identity === open.stat.identity;
  }

  /** One piece of work on many paths: rules are read once. Not to be kept longer. */
  start(): PolicyRun {
    return new PolicyRun(this.files, this.options, (realPath) => this.attached.has(realPath), this.hardLinks);
  }
}
