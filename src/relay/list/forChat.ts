/** `other`: embedding, rerank, speech, transcription, image, video or moderation. */
export type ModelKind = 'chat' | 'other';

export function chatFirst<T extends { kind?: ModelKind }>(models: readonly T[]): T[] {
  return [...models.filter(isForChat), ...models.filter((model) => !isForChat(model))];
}

export function isForChat({ kind }: { kind?: ModelKind }): boolean {
  return kind !== 'other';
}
