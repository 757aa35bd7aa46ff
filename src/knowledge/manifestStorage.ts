/** Small text files of this workspace that outlive the window. Names hold letters, digits, `-` and `.`. Met in `src/host`. */
export interface ManifestStorage {
  /** Undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /**
   * Adds the line and its end. Resolves when it is on its way to the disk, so that a killed process does not lose it.
   * In order, also with reads of the same name. A line that was torn before does not swallow it.
   */
  append(name: string, line: string): Promise<void>;
  /** Replaces the whole file at once: a reader sees the old or the new one. */
  replace(name: string, text: string): Promise<void>;
  list(): Promise<string[]>;
}
