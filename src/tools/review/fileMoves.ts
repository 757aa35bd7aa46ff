/** A file or a folder with all that is in it. Paths are absolute. */
export interface FileMove {
  from: string;
  to: string;
}

/** Where moves are remembered over a reload. */
export interface MoveMemory {
  fileMoves: readonly FileMove[];
}

/** What was moved before so many others is not followed any more. */
const mostMoves = 200;

/** Where files are that were renamed or moved since: what was changed in them is to be found there. */
export class FileMoves {
  constructor(private readonly memory: MoveMemory = { fileMoves: [] }) {}

  add(from: string, to: string): void {
    this.memory.fileMoves = [...this.memory.fileMoves, { from, to }].slice(-mostMoves);
  }

  /** The path after all moves since. */
  follow(path: string): string {
    return this.memory.fileMoves.reduce(
      (place, { from, to }) =>
        place === from ? to : place.startsWith(`${from}/`) ? to + place.slice(from.length) : place,
      path,
    );
  }
}
