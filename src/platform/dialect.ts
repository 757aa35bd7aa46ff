/** What a server was found to want other than the spec's form. Absent: the spec's form, as nothing else was learnt. */
export interface Dialect {
  /** `economy`: its word for the technique that the spec calls `economical`. */
  economy?: 'economy';
  /** `blocking`: its word for the response mode that the spec calls `sync`. */
  sync?: 'blocking';
  /** `hyphen`: it has `create-by-text`, not `create_by_text`. */
  paths?: 'hyphen';
}

/** Remembers dialects by server origin, for longer than the window lives. */
export interface DialectMemory {
  get(origin: string): Dialect;
  /** Adds what was learnt to what is known. */
  learn(origin: string, found: Dialect): void;
}
