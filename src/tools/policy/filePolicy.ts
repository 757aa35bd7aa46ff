import { type OpenFile, isJudgedFile } from '../files/fileSystem.ts';
import { HardLinks } from './hardLinks.ts';
import { PolicyRun, systemReason, type PolicyOptions } from './policyRun.ts';
import { type FileUse, type GrantedFile, type Refusal, refuse, type Verdict } from './verdict.ts';
import { secretContentOf } from './secretByContent.ts';
import type { Files } from '../files/workspace.ts';

/**
 * The only gate between files and models; it fails closed. A verdict holds for a moment: `recheck` it after waiting,
 * and read through `open`, which proves that the opened file is the judged one.
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

  /** Judges a path of a model or the user. Never throws. */
  check(path: string, use: FileUse): Promise<Verdict> {
    return this.start().check(path, use);
  }

  /** Judges a file that the user chose and lets it be read even in an untrusted workspace. */
  async attach(path: string): Promise<Verdict> {
    const verdict = await this.check(path, 'attach');
    if (verdict.isAllowed) this.attached.add(verdict.realPath);
    return verdict;
  }

  /** The shown names of a workspace file; empty for others. Doesn't access the file. */
  namesOf(realPath: string): Promise<readonly string[]> {
    return this.start().namesOf(realPath);
  }

  /** Judges again: the same name must still mean the same file. */
  async recheck(file: GrantedFile): Promise<Verdict> {
    const again = await this.check(file.realPath, file.use);
    if (!again.isAllowed) return again;
    return again.realPath === file.realPath ? again : refuse('changed', file.shown);
  }

  /** Opens a file and proves that it is the judged one. The caller closes it. */
  async open(file: GrantedFile): Promise<OpenFile | Refusal> {
    const { access } = this.files;
    let open: OpenFile;
    try {
      open = await access.open(file.realPath);
    } catch (error) {
      return refuse(systemReason(error), file.shown);
    }
    const reason = await this.objectionTo(open, file).catch(() => 'unreadable' as const);
    if (reason === undefined) return open;
    await open.close();
    return refuse(reason, file.shown);
  }

  async mayRead(path: string): Promise<boolean> {
    const file = await this.check(path, 'read');
    if (!file.isAllowed) return false;
    const open = await this.open(file);
    if ('reason' in open) return false;
    await open.close();
    return true;
  }

  private async objectionTo(open: OpenFile, { realPath, relative }: GrantedFile) {
    if (!(await isJudgedFile(open, realPath, this.files.access))) return 'changed';
    if (open.stat.type !== 'file') return 'not-a-file';
    return secretContentOf(relative, open);
  }

  /** Judges many paths with rules read once, for one piece of work. */
  start(): PolicyRun {
    return new PolicyRun(this.files, this.options, (realPath) => this.attached.has(realPath), this.hardLinks);
  }
}
