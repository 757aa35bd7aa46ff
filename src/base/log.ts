/** Where the parts report what they do. Callers never pass a key or a message's content. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}
