import { type FrontMatter, readFrontMatter } from '../../base/text/frontMatter.ts';
import { Redactor } from '../../base/secrets/redactSecrets.ts';
import { decodeText, detectEncoding, sniffedBytes, type TextEncoding } from './decodeText.ts';
import type { OpenFile } from './fileSystem.ts';
import type { FilePolicy } from '../policy/filePolicy.ts';
import { type GrantedFile, refuse } from '../policy/verdict.ts';
import { secretContent } from '../policy/secretByContent.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { Workspace } from './workspace.ts';
import { sha256 } from '../../base/sha256.ts';
import { createTextDecoder } from '../../base/text/textDecoder.ts';

/** In bytes; larger files are read in pieces and not edited. */
export const largestWholeFile = 10_000_000;
const pieceBytes = 256_000;
const mostCharacters = 100_000;

/** Files of skills, prompts and agents are looked at for every message, and hardly ever change. */
const mostKept = 300;
const longestKept = 20_000;
const settledMs = 2_000;

/** Texts of files as the user sees them, unsaved changes included. */
export class FileTexts {
  private readonly fields = new Map<string, { version: string; fields: FrontMatter }>();

  constructor(
    private readonly workspace: Workspace,
    private readonly policy: FilePolicy,
  ) {}

  async unsaved(): Promise<Map<string, string>> {
    const { access } = this.workspace.files;
    const texts = new Map<string, string>();
    for (const { path, text } of this.workspace.editors.unsaved()) {
      // The editor may know the file by a link; a deleted file has no real path.
      texts.set(await access.realPath(path).catch(() => path), text);
    }
    return texts;
  }

  /** Reads a whole text. Throws a `ToolFailure` for binary files and those over 10 MB. */
  async readWhole(file: GrantedFile): Promise<string> {
    const unsaved = await this.unsavedOf(file);
    if (unsaved !== undefined) return unsaved;
    const bytes = await this.readBytes(file);
    return decodeText(bytes, this.encodingOf(file, bytes, true));
  }

  /** The text, undefined for binary files, and the SHA-256 of the file's bytes, unless the editor has another text. */
  async readHashed(file: GrantedFile): Promise<{ text: string | undefined; hash: string | undefined }> {
    const unsaved = await this.unsavedOf(file);
    if (unsaved !== undefined) return { text: unsaved, hash: undefined };
    const bytes = await this.readBytes(file);
    const text = this.decode(file.realPath, bytes);
    return { text, hash: sha256(bytes) };
  }

  decode(realPath: string, bytes: Uint8Array): string | undefined {
    const encoding = detectEncoding(bytes, true, this.workspace.files.encodingOf(realPath));
    return encoding && decodeText(bytes, encoding);
  }

  /** Reads the text in pieces, with secrets redacted. */
  async *readPieces(file: GrantedFile, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const redactor = new Redactor();
    for await (const piece of this.readRaw(file, signal)) yield redactor.push(piece);
    yield redactor.end();
  }

  /** Reads the text in pieces without redaction, if the user decided so. */
  async *readRaw(file: GrantedFile, signal: AbortSignal): AsyncGenerator<string, void, void> {
    const unsaved = await this.unsavedOf(file);
    if (unsaved !== undefined) {
      yield unsaved;
      return;
    }
    const open = granted(await this.policy.open(file));
    try {
      const { size } = open.stat;
      const head = await readBytes(open, Math.min(size, sniffedBytes));
      const encoding = this.encodingOf(file, head, size <= sniffedBytes);
      const decoder = createTextDecoder(encoding.label);
      yield decoder.decode(head, { stream: true });
      const piece = new Uint8Array(pieceBytes);
      for (let position = head.length; ;) {
        signal.throwIfAborted();
        const length = await open.read(piece, position);
        if (length === 0) break;
        position += length;
        yield decoder.decode(piece.subarray(0, length), { stream: true });
      }
      yield decoder.decode();
    } finally {
      await open.close();
    }
  }

  /** Reads the first characters, with secrets redacted. */
  async readStart(
    file: GrantedFile,
    characters: number,
    signal: AbortSignal,
  ): Promise<{ text: string; isCut: boolean }> {
    let text = '';
    for await (const piece of this.readPieces(file, signal)) {
      text += piece;
      if (text.length > characters) break;
    }
    return { text: text.slice(0, characters), isCut: text.length > characters };
  }

  /** Reads a Markdown file with its front matter, cut at 100,000 characters. Undefined if it can't be read. */
  async readFields(file: GrantedFile): Promise<FrontMatter | undefined> {
    const { realPath, stat } = file;
    const version = stat && JSON.stringify([stat.mtimeMs, stat.size, stat.identity]);
    const known = this.fields.get(realPath);
    const isUnsaved = (await this.unsaved()).has(realPath);
    if (known && known.version === version && !isUnsaved) return known.fields;
    // Such files are optional.
    const start = await this.readStart(file, mostCharacters, new AbortController().signal).catch(
      () => undefined,
    );
    const fields = start && (await readFrontMatter(start.text));
    this.fields.delete(realPath);
    // A file may be written twice within one tick of its clock.
    const isSettled = stat && Date.now() - stat.mtimeMs > settledMs;
    if (fields && version && isSettled && !isUnsaved && start.text.length <= longestKept) {
      if (this.fields.size >= mostKept) this.fields.clear();
      this.fields.set(realPath, { version, fields });
    }
    return fields;
  }

  private async unsavedOf({ realPath, shown }: GrantedFile): Promise<string | undefined> {
    const text = (await this.unsaved()).get(realPath);
    const secret = text !== undefined && secretContent(realPath, text);
    if (secret) granted(refuse(secret, shown));
    return text;
  }

  private async readBytes(file: GrantedFile): Promise<Uint8Array> {
    const open = granted(await this.policy.open(file));
    try {
      if (open.stat.size > largestWholeFile) {
        throw new ToolFailure(
          `${file.shown} is larger than 10 MB, which is more than can be edited. Ask the user.`,
        );
      }
      return await readBytes(open, open.stat.size);
    } finally {
      await open.close();
    }
  }

  private encodingOf(file: GrantedFile, head: Uint8Array, isWhole: boolean): TextEncoding {
    const encoding = detectEncoding(head, isWhole, this.workspace.files.encodingOf(file.realPath));
    if (encoding) return encoding;
    throw new ToolFailure(
      `${file.shown} is a binary file (${file.stat?.size ?? head.length} bytes), which cannot be read as text. ` +
        'Look for a source or a text form of it.',
    );
  }
}

async function readBytes(file: OpenFile, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const read = await file.read(bytes.subarray(filled), filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
