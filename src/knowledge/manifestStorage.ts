/**
 * Small text files of this workspace that outlive the window, and that its other windows write to as well. Names hold
 * letters, digits, `-` and `.`. What is asked for one name is done in order.
 */
export interface ManifestStorage {
  /** Undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Adds a line. Resolves when it is on its way to the disk, so that a killed process does not lose it. */
  append(name: string, line: string): Promise<void>;
  /**
   * Replaces the lines by fewer ones at once: a reader sees the old or the new ones, and what other windows add meanwhile
   * comes after them. May do nothing, when another window is at it or when `edit` returns undefined.
   */
  rewrite(name: string, edit: (text: string) => string | undefined): Promise<void>;
  remove(name: string): Promise<void>;
  list(): Promise<string[]>;
}
