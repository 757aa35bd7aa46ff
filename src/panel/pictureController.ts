import { formatSize } from '../base/text/formatSize.ts';
import { pictureSize, pictureTypeOf } from '../base/files/pictureFormats.ts';
import type { ChatController } from '../chat/chatController.ts';
import type { AnswerPicture } from '../chat/store/events.ts';
import type { AnswerPicture as ShownPicture, PictureCommand } from '../shared/pictures.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface PictureHost {
  readPicture(chatId: string, file: string): Promise<Uint8Array | undefined>;
  openPicture(chatId: string, file: string): Promise<void>;
  savePicture(chatId: string, file: string): Promise<void>;
}

/** A small file can hold a picture that takes gigabytes to draw. */
const mostPixels = 50_000_000;

export class PictureController {
  constructor(
    private readonly chat: ChatController,
    private readonly host: PictureHost,
    private readonly post: PostToPage,
  ) {}

  readonly commands: CommandHandlers<PictureCommand> = {
    loadAnswerPicture: (command) => this.withPicture(command, (chatId, file) => this.load(chatId, file)),
    openAnswerPicture: (command) =>
      this.withPicture(command, (chatId, file) => this.host.openPicture(chatId, file)),
    saveAnswerPicture: (command) =>
      this.withPicture(command, (chatId, file) => this.host.savePicture(chatId, file)),
  };

  /** Serves only pictures of the answer, never another file. */
  private async withPicture(
    { id, file }: PictureCommand,
    act: (chatId: string, file: string) => void | Promise<void>,
  ): Promise<void> {
    const { conversation } = this.chat.shown;
    if (conversation.answerOf(id)?.pictures?.some((picture) => picture.file === file)) {
      await act(conversation.id, file);
    }
  }

  private async load(chatId: string, file: string): Promise<void> {
    const bytes = await this.host.readPicture(chatId, file);
    const base64 = bytes && canBeDrawn(bytes) ? Buffer.from(bytes).toString('base64') : undefined;
    this.post({ type: 'answerPictureLoaded', file, ...(base64 !== undefined && { base64 }) });
  }
}

function canBeDrawn(bytes: Uint8Array): boolean {
  const type = pictureTypeOf(bytes);
  const size = type && pictureSize(bytes, type);
  return size !== undefined && size.width * size.height <= mostPixels;
}

export function toShownPictures(pictures: readonly AnswerPicture[]): ShownPicture[] {
  return pictures.map(({ file, type, bytes, width, height }) => ({
    file,
    detail: `${type.replace('image/', '').toUpperCase()}, ${formatSize(bytes)}`,
    ...(width !== undefined && height !== undefined && { width, height }),
  }));
}
