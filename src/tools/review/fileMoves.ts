export interface FileMove {
  from: string;
  to: string;
}

export interface MoveMemory {
  fileMoves: readonly FileMove[];
}

const mostMoves = 200;

export class FileMoves {
  constructor(private readonly memory: MoveMemory = { fileMoves: [] }) {}

  add(from: string, to: string): void {
    this.memory.fileMoves = [...this.memory.fileMoves, { from, to }].slice(-mostMoves);
  }

  follow(path: string): string {
    return this.memory.fileMoves.reduce(
      (place, { from, to }) =>
        place === from ? to : place.startsWith(`${from}/`) ? to + place.slice(from.length) : place,
      path,
    );
  }
}
