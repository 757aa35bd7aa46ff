import { idsOf } from '../store/eventIds.ts';
import type { ChatEvent } from '../store/events.ts';

/** Removes stretches repeated by a crash or a copying program, recognized by events unique to a conversation. */
export function withoutRepeats(events: readonly ChatEvent[]): readonly ChatEvent[] {
  const first = new Map<string, number>();
  const repeated = new Set<number>();
  for (let at = 0; at < events.length; at++) {
    const original = know(first, events[at]!, at);
    if (original === undefined || !isSame(events[original], events[at])) continue;
    let start = at;
    const before = () => original - (at - start) - 1;
    while (start - 1 > original && !repeated.has(start - 1) && isSame(events[before()], events[start - 1]))
      start--;
    let end = at + 1;
    while (
      end < events.length &&
      original + (end - at) < start &&
      isSame(events[original + (end - at)], events[end])
    )
      end++;
    for (let index = start; index < end; index++) repeated.add(index);
    at = end - 1;
  }
  return repeated.size > 0 ? events.filter((_, index) => !repeated.has(index)) : events;
}

function know(first: Map<string, number>, event: ChatEvent, at: number): number | undefined {
  switch (event.type) {
    case 'answerContinued':
      first.delete(`answerEnded ${event.id}`);
      return undefined;
    case 'callsReopened':
      for (const id of event.ids) first.delete(`toolFinished ${id}`);
      return undefined;
  }
  const ids =
    event.type === 'answerEnded' || event.type === 'toolFinished' ? [event.id] : idsOf(event).introduced;
  const [key] = ids.map((id) => `${event.type} ${id}`);
  if (key === undefined) return undefined;
  const known = first.get(key);
  if (known === undefined) first.set(key, at);
  return known;
}

function isSame(one: ChatEvent | undefined, other: ChatEvent | undefined): boolean {
  return one?.type === other?.type && JSON.stringify(one) === JSON.stringify(other);
}
