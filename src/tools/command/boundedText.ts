/** The beginning and the end of a text of any length; what lies between is counted and not kept. */
export class BoundedText {
  private head = '';
  private readonly tail: string[] = [];
  private tailLength = 0;
  /** Characters that were not kept. */
  omitted = 0;

  /** @param keeps characters of each; the tail may be longer by one piece */
  constructor(private readonly keeps: { head: number; tail: number }) {}

  push(text: string): void {
    const room = this.keeps.head - this.head.length;
    // A string that is a part of another keeps the whole of it.
    if (room > 0) this.head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    if (rest === '') return;
    this.tail.push(rest);
    this.tailLength += rest.length;
    for (;;) {
      const [first] = this.tail;
      if (first === undefined || this.tailLength - first.length < this.keeps.tail) return;
      this.tail.shift();
      this.tailLength -= first.length;
      this.omitted += first.length;
    }
  }

  get length(): number {
    return this.head.length + this.omitted + this.tailLength;
  }

  /** What is kept: in one piece as long as all of it is. */
  parts(): [whole: string] | [head: string, tail: string] {
    const tail = this.tail.join('');
    return this.omitted === 0 ? [this.head + tail] : [this.head, tail];
  }
}
