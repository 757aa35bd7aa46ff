// Recorded streams of answers, and what may be made of them.
import fc from 'fast-check';
import { readRecorded } from '../support/recorded.ts';
import { spoilt } from './inputs.ts';

/** The events of the recorded streams with such a title. */
export function eventStreams(texts: readonly string[], title: RegExp): fc.JsonValue[][] {
  return texts.flatMap((text) =>
    readRecorded(text)
      .filter((exchange) => title.test(exchange.title))
      .map(({ body }) =>
        body.split('\n').flatMap((line): fc.JsonValue[] => {
          const json = /^(?:data: ?)?(\{.*\})$/.exec(line)?.[1];
          return json === undefined ? [] : [JSON.parse(json) as fc.JsonValue];
        }),
      )
      .filter(({ length }) => length > 1),
  );
}

/** A recorded answer of which events were spoilt, left out, repeated or put elsewhere. */
export function spoiltStreamOf(streams: readonly fc.JsonValue[][]): fc.Arbitrary<fc.JsonValue[]> {
  return fc
    .constantFrom(...streams)
    .chain((events) =>
      fc
        .tuple(
          fc.shuffledSubarray(events),
          fc.boolean(),
          fc.array(spoilt(fc.constantFrom(...events)), { maxLength: 3 }),
        )
        .map(([some, isInOrder, others]) => [
          ...(isInOrder ? events : some),
          ...others,
          ...(isInOrder ? [] : events.slice(-2)),
        ]),
    );
}

/** The bytes of an event stream whose events are named by their type. */
export function namedEvents(events: readonly fc.JsonValue[], end = '\n', isNamed = true): Buffer {
  const text = events.map((event) => {
    const { type } = (event ?? {}) as { type?: fc.JsonValue };
    const name = isNamed && typeof type === 'string' ? `event: ${type.replaceAll(/\s/g, '')}${end}` : '';
    return `${name}data: ${JSON.stringify(event)}${end}${end}`;
  });
  return Buffer.from(text.join(''));
}
