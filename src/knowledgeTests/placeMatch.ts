import { withSlashes } from '../base/files/safeFileName.ts';
import { documentName, type DocumentOrigin } from '../knowledge/files/documentName.ts';
import { type LineRange, locateSegment } from '../knowledge/files/locateSegment.ts';
import type { ExpectedPlace } from './testFile.ts';

export interface TestedFiles {
  /** The whole text, by its path in the manifest; undefined if it can't be read as text. */
  read(path: string): Promise<string | undefined>;
  /** A file's path in the manifest: after the folder's name if there are several folders. */
  pathOf(file: string): string;
}

export interface SegmentOfDocument {
  readonly documentName: string;
  readonly content: string;
  readonly origin?: DocumentOrigin;
}

export class PlaceMatcher {
  private readonly texts = new Map<string, Promise<string | undefined>>();

  constructor(private readonly files: TestedFiles) {}

  textOf({ file }: ExpectedPlace): Promise<string | undefined> {
    return this.read(this.files.pathOf(file));
  }

  async isMatch(place: ExpectedPlace, segment: SegmentOfDocument): Promise<boolean> {
    if (!this.isDocumentOf(place, segment) || missingWords(segment.content, place.words).length > 0)
      return false;
    const { lines } = place;
    if (!lines) return true;
    const found = await this.linesOf(this.files.pathOf(place.file), segment.content);
    return found !== undefined && found.startLine <= lines.endLine && found.endLine >= lines.startLine;
  }

  /** Compares the manifest's origin; documents from elsewhere match by name, in any workspace. */
  isDocumentOf({ file }: ExpectedPlace, segment: Omit<SegmentOfDocument, 'content'>): boolean {
    if (segment.origin)
      return segment.origin.path === this.files.pathOf(file) || segment.origin.path === file;
    const name = withSlashes(segment.documentName).replace(/ \(lines? [\d-]+\)$/, '');
    if (name === file) return true;
    const slash = name.indexOf('/');
    const workspace = slash < 0 ? '' : name.slice(0, slash);
    return (['file', 'text'] as const).some(
      (how) => name === withSlashes(documentName({ workspace, origin: { path: file }, how })),
    );
  }

  async linesOf(path: string, content: string): Promise<LineRange | undefined> {
    const text = await this.read(path);
    return text === undefined ? undefined : locateSegment(text, content);
  }

  private read(path: string): Promise<string | undefined> {
    let text = this.texts.get(path);
    if (!text) {
      text = this.files.read(path);
      this.texts.set(path, text);
    }
    return text;
  }
}

/** The words that a text lacks. Compares without white space and case: platforms join lines. */
export function missingWords(content: string, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const text = plain(content);
  return words.filter((each) => !text.includes(plain(each)));
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, '');
}
