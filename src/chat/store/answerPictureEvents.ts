import type { FilePicture } from '../../base/files/pictureFiles.ts';
import type { PictureOmission } from '../../relay/messages.ts';
import type { AnswerPicture, ChatEvent } from './events.ts';

/** Reason for a missing picture; `storage`: its file couldn't be written. */
export type OmittedPicture = PictureOmission | 'storage';

export class AnswerPictureEvents {
  private readonly reasons: OmittedPicture[] = [];

  constructor(
    private readonly context: { keepPicture(picture: FilePicture): Promise<AnswerPicture> },
    private readonly answerId: string,
  ) {}

  async add(picture: FilePicture): Promise<PictureChatEvent> {
    try {
      const kept = await this.context.keepPicture(picture);
      return { type: 'pictureAdded', id: this.answerId, picture: kept };
    } catch {
      return this.omit('storage');
    }
  }

  omit(reason: OmittedPicture): PictureChatEvent {
    if (!this.reasons.includes(reason)) this.reasons.push(reason);
    const detail = this.reasons.join(',');
    return { type: 'noticed', id: `pictures:${this.answerId}`, kind: 'pictures-omitted', detail };
  }
}

type PictureChatEvent = Extract<ChatEvent, { type: 'pictureAdded' | 'noticed' }>;
