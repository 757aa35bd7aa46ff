import * as l10n from '@vscode/l10n';
import { isCancelled } from '../../base/errors/errors.ts';
import { countRedacted, redactSecrets } from '../../base/secrets/redactSecrets.ts';
import { largestWholeFile } from '../../tools/files/fileTexts.ts';
import { getChangesTool } from '../../tools/editor/getChangesTool.ts';
import { getDiagnosticsTool } from '../../tools/editor/getDiagnosticsTool.ts';
import { takeWindow, type LineWindow } from '../../tools/files/lineWindow.ts';
import { listFilesTool } from '../../tools/files/listFilesTool.ts';
import type { GrantedFile } from '../../tools/policy/verdict.ts';
import type { Tool } from '../../tools/tool.ts';
import { ToolFailure } from '../../tools/toolFailure.ts';
import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { truncateText, type OutputLimits } from '../../tools/files/truncate.ts';
import type { Attachment, AttachmentSource, TextSource } from './attachment.ts';
import { pictureTypeOf } from '../../base/files/pictureFormats.ts';
import { largestPicture, toPicture } from './attachedPictures.ts';
import { describeSource, failWith, nameOf, refused, unplaced, withRefusal } from './refusedAttachment.ts';

export interface TakenAttachment {
  attachment: Attachment;
  file?: GrantedFile;
}

interface ReadContext {
  signal: AbortSignal;
  keepsSecrets: boolean;
}

/** More than a tool call returns because the user chose it, but bounded because every round sends it again. */
const limits: OutputLimits = { maxLines: 2000, maxBytes: 100_000 };
const maxColumns = 10_000;
const everything = { startLine: 1, endLine: Infinity };

type Source<T extends AttachmentSource['type']> = Extract<AttachmentSource, { type: T }>;

/** Reads through the file policy. Throws only when aborted: other failures become a refusal with its reason. */
export class AttachmentReader {
  constructor(private readonly deps: () => ToolDependencies) {}

  async read(source: AttachmentSource, signal: AbortSignal, keepsSecrets = false): Promise<TakenAttachment> {
    try {
      const safe = withRedactionsSaid(await this.take(source, false, signal));
      const { redacted: unredacted } = safe.attachment;
      if (!keepsSecrets || unredacted === undefined) return safe;
      const { attachment, ...taken } = await this.take(source, true, signal);
      return { ...taken, attachment: { ...attachment, unredacted } };
    } catch (error) {
      if (isCancelled(error) || signal.aborted) throw error;
      return { attachment: refused(source, error) };
    }
  }

  /** The user means a file's current content. Excerpts keep their text, as lines may have moved. */
  async renew(
    source: AttachmentSource,
    taken: TakenAttachment,
    signal: AbortSignal,
    keepsSecrets = false,
  ): Promise<TakenAttachment> {
    if (source.type !== 'range') return this.read(source, signal, keepsSecrets);
    if (!taken.file) return taken;
    const verdict = await this.deps().policy.recheck(taken.file);
    return verdict.isAllowed ? taken : { attachment: withRefusal(taken.attachment, verdict) };
  }

  private async take(
    source: AttachmentSource,
    keepsSecrets: boolean,
    signal: AbortSignal,
  ): Promise<TakenAttachment> {
    const context = { signal, keepsSecrets };
    switch (source.type) {
      case 'path':
        return this.takePath(source, context);
      case 'range':
        return this.takeRange(source, context);
      case 'problems': {
        const { path } = source;
        const label = path === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', nameOf(path));
        const attachment = { kind: 'problems', label, ...(path !== undefined && { path }) } as const;
        return this.takeTool(getDiagnosticsTool, path === undefined ? {} : { path }, attachment, context);
      }
      case 'changes':
        return this.takeTool(getChangesTool, {}, { kind: 'changes', label: l10n.t('Changes') }, context);
      case 'image':
        return { attachment: toPicture(source.name, source.data, source.bytes) };
      case 'text':
        return { attachment: takeText(source) };
      case 'unplaced':
        return { attachment: unplaced(source) };
    }
  }

  private async takePath({ path, isEditor }: Source<'path'>, context: ReadContext): Promise<TakenAttachment> {
    const { policy } = this.deps();
    const file = await policy.attach(path);
    if (!file.isAllowed)
      return file.reason === 'not-a-file' ? this.takeFolder(path, context) : failWith(file);
    const upload = { realPath: file.realPath, bytes: file.stat?.size ?? 0 };
    const picture = await this.findPicture(file);
    if (picture) return { attachment: { ...picture, path: file.shown, upload }, file };
    const attachment = {
      kind: isEditor ? 'editor' : 'file',
      label: nameOf(file.shown),
      path: file.shown,
    } as const;
    try {
      return { attachment: { ...attachment, ...(await this.lines(file, everything, context)) }, file };
    } catch (error) {
      if (!(error instanceof ToolFailure) || error.refusal) throw error;
      const { refusal } = refused({ type: 'path', path }, error);
      return { attachment: { ...attachment, upload, ...(refusal && { refusal }) }, file };
    }
  }

  private async takeFolder(path: string, context: ReadContext): Promise<TakenAttachment> {
    const folder = await this.deps().policy.check(path, 'list');
    if (!folder.isAllowed) return failWith(folder);
    const { shown } = folder;
    const label = `${shown === '.' ? folder.folder.name : nameOf(shown)}/`;
    return this.takeTool(listFilesTool, { path: shown }, { kind: 'folder', label, path: shown }, context);
  }

  private async takeRange(source: Source<'range'>, context: ReadContext): Promise<TakenAttachment> {
    const { path, startLine, endLine, name } = source;
    const { policy, workspace } = this.deps();
    const file = await policy.attach(path);
    if (!file.isAllowed) return failWith(file);
    const attachment: Attachment = {
      kind: name === undefined ? 'selection' : 'symbol',
      label: name ?? nameOf(file.shown),
      path: file.shown,
    };
    const selection =
      name === undefined
        ? workspace.editors.open().find((editor) => editor.path === path)?.selection
        : undefined;
    if (selection?.start.line === startLine) {
      // Possibly part of a line, so line numbers alone aren't enough.
      const text = truncateText(
        context.keepsSecrets ? selection.text : selection.redacted,
        `Read the rest with read_file from line ${startLine} on.`,
        limits,
      );
      return { attachment: { ...attachment, text, lines: { first: startLine, last: endLine } }, file };
    }
    return {
      attachment: { ...attachment, ...(await this.lines(file, { startLine, endLine }, context)) },
      file,
    };
  }

  private async lines(
    file: GrantedFile,
    range: { startLine: number; endLine: number },
    { signal, keepsSecrets }: ReadContext,
  ): Promise<Pick<Attachment, 'text' | 'lines' | 'notes'>> {
    const { texts } = this.deps();
    const window = await takeWindow(
      keepsSecrets ? texts.readRaw(file, signal) : texts.readPieces(file, signal),
      { ...range, startColumn: 1, limits, maxColumns },
      (read) => read <= largestWholeFile,
    );
    return toLines(window, range === everything);
  }

  private async takeTool(
    create: (deps: ToolDependencies) => Tool,
    input: Record<string, unknown>,
    attachment: Attachment,
    context: ReadContext,
  ): Promise<TakenAttachment> {
    const call = create(this.deps()).bind(input);
    if ('problem' in call) throw new ToolFailure(call.problem);
    const { content, withheld = [] } = await call.run(context);
    const notes = withheld.map(({ forUser }) => forUser);
    return { attachment: { ...attachment, text: content, ...(notes.length > 0 && { notes }) } };
  }

  private async findPicture(file: GrantedFile): Promise<Attachment | undefined> {
    if (!/\.(png|jpe?g|gif|webp|bmp|tiff?|heic|avif|ico)$/i.test(file.shown)) return undefined;
    const open = await this.deps().policy.open(file);
    if ('reason' in open) failWith(open);
    try {
      const { size } = open.stat;
      const bytes = new Uint8Array(size > largestPicture ? 64 : size);
      for (let at = 0; at < bytes.length;) {
        const read = await open.read(bytes.subarray(at), at);
        if (read === 0) break;
        at += read;
      }
      const name = nameOf(file.shown);
      // A text file with a picture's extension is text.
      if (!pictureTypeOf(bytes) && !bytes.subarray(0, 64).includes(0)) return undefined;
      return toPicture(name, Buffer.from(bytes).toString('base64'), size);
    } finally {
      await open.close();
    }
  }
}

function takeText(source: TextSource): Attachment {
  const { text, of, isCut } = source;
  if (of && text === '') {
    const refusal = { forModel: 'It was not loaded.', forUser: l10n.t('Not loaded. Attach it again.') };
    return { ...describeSource(source), refusal };
  }
  return { ...describeSource(source), text, ...(isCut && { notes: [l10n.t("The rest isn't sent.")] }) };
}

function withRedactionsSaid(taken: TakenAttachment): TakenAttachment {
  const { attachment } = taken;
  if (attachment.text === undefined) return taken;
  const text = redactSecrets(attachment.text);
  const redacted = countRedacted(text);
  return redacted === 0 ? taken : { ...taken, attachment: { ...attachment, text, redacted } };
}

function toLines(window: LineWindow, isWhole: boolean): Pick<Attachment, 'text' | 'lines' | 'notes'> {
  const { lines, totalLines, nextLine } = window;
  const first = lines[0]?.number ?? 1;
  const last = lines.at(-1)?.number ?? 1;
  const cutLines = lines.filter(({ cut }) => cut);
  const text = lines
    .map(({ text: line, cut }) => (cut ? `${line}… [this line has ${cut.length} characters]` : line))
    .join('\n');
  if (nextLine === undefined) {
    const notes = cutLines.length > 0 ? [l10n.t('Very long lines are truncated.')] : [];
    return {
      text,
      ...(!isWhole && { lines: { first, last } }),
      ...(notes.length > 0 && { notes }),
    };
  }
  const total = totalLines === undefined ? '' : ` of ${totalLines}`;
  return {
    text: `${text}\n[These are lines ${first} to ${last}${total}. Ask for more with read_file, from startLine ${nextLine} on.]`,
    lines: { first, last, ...(totalLines !== undefined && { total: totalLines }) },
    notes: [l10n.t("The rest isn't sent. The model can read it with its tools.")],
  };
}
