import { createHash } from 'node:crypto';
import { AnswerLimit } from '../../base/answerLimit.ts';
import { pictureTypeOf } from '../../base/files/pictureFormats.ts';
import type { PictureEvent, PictureOmission } from '../messages.ts';
import { megabyte } from '../../base/text/formatSize.ts';

export const largestAnswerPicture = 20 * megabyte;
export const longestPictureData = Math.ceil(largestAnswerPicture / 3) * 4;
export const mostAnswerPictures = 16;

/** Characters of base64 in one answer, including omitted pictures. */
const longestPictures = (mostAnswerPictures + 1) * longestPictureData;
const longestAddress = 4096;

/** The pictures of one answer, deduplicated. Their type follows from the bytes, not the declaration. */
export class AnswerPictures {
  private readonly limit: AnswerLimit;
  private readonly known = new Set<string>();
  private readonly omissions = new Set<PictureOmission>();
  private events: PictureEvent[] = [];

  constructor(address: string) {
    this.limit = new AnswerLimit(address, longestPictures);
  }

  get size(): number {
    return this.limit.size;
  }

  get isEmpty(): boolean {
    return this.known.size === 0 && this.omissions.size === 0;
  }

  count(characters: number): void {
    this.limit.add(characters);
  }

  /** Expects counted base64. False if it is no picture. */
  addData(base64: string): boolean {
    if (base64.length > longestPictureData) {
      this.omit('size');
      return true;
    }
    const type = pictureTypeOf(Buffer.from(base64.slice(0, 64), 'base64'));
    if (!type) return false;
    const hash = createHash('sha256').update(base64).digest('base64');
    if (this.known.has(hash)) return true;
    if (this.known.size >= mostAnswerPictures) {
      this.omit('count');
      return true;
    }
    this.known.add(hash);
    this.events.push({ type: 'pictureAdded', picture: { type, bytes: Buffer.from(base64, 'base64') } });
    return true;
  }

  /** Adds a data address or bare base64. Remote addresses aren't loaded but returned as a Markdown link. */
  addAddress(address: string): string | undefined {
    if (/^https?:/i.test(address)) return remoteLink(address);
    this.count(address.length);
    const comma = address.startsWith('data:') ? address.slice(0, 200).indexOf(',') : -1;
    if (!this.addData(address.slice(comma + 1))) this.omit('type');
    return undefined;
  }

  omit(reason: PictureOmission): void {
    if (this.omissions.has(reason)) return;
    this.omissions.add(reason);
    this.events.push({ type: 'pictureOmitted', reason });
  }

  take(): readonly PictureEvent[] {
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }
}

function remoteLink(address: string): string | undefined {
  const href = address.length > longestAddress ? undefined : URL.parse(address)?.href;
  return (
    href && `![](${href.replace(/[()<>\\]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)})`
  );
}
