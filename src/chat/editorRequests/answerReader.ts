export class AnswerReader {
  answer = '';
  private rest = '';
  private readonly blocks: string[][] = [];
  private open: { ticks: number; lines: string[] } | undefined;

  /** Lines of the first block that are complete. */
  get firstBlock(): readonly string[] {
    return this.blocks[0] ?? this.open?.lines ?? [];
  }

  /** True if that completed lines of the first block. */
  add(text: string): boolean {
    this.answer += text;
    if (!text.includes('\n')) {
      this.rest += text;
      return false;
    }
    const { length } = this.firstBlock;
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.read(line.replace(/\r$/, ''));
    return this.firstBlock.length > length;
  }

  /** Content of the only block, without its final line end. Undefined for no, several or unclosed blocks. */
  end(): string | undefined {
    this.read(this.rest);
    this.rest = '';
    return this.blocks.length === 1 && !this.open ? this.blocks[0]?.join('\n') : undefined;
  }

  private read(line: string): void {
    const [, end = ''] = /^ {0,3}(`{3,})[ \t]*$/.exec(line) ?? [];
    if (this.open && end.length >= this.open.ticks) {
      this.blocks.push(this.open.lines);
      this.open = undefined;
    } else if (this.open) this.open.lines.push(line);
    else {
      const [, ticks] = /^ {0,3}(`{3,})[^`]*$/.exec(line) ?? [];
      if (ticks) this.open = { ticks: ticks.length, lines: [] };
    }
  }
}
