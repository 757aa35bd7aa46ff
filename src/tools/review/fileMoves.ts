/** Where files are that were renamed or moved since: what was changed in them is to be found there. */
export class FileMoves {
  private moves: { from: string; to: string }[] = [];

  /** A file or a folder with all that is in it. Paths are absolute. */
  add(from: string, to: string): void {
    this.moves.push({ from, to });
  }

  /** The path after all moves since. */
  follow(path: string): string {
    return this.moves.reduce(
      (place, { from, to }) =>
        place === from ? to : place.startsWith(`${from}/`) ? to + place.slice(from.length) : place,
      path,
    );
  }
}
