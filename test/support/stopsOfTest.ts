import { type RelayOptions, type RelayUnderTest, relayUnderTest } from './relayUnderTest.ts';

/** Clean-ups that run after each test, the newest first. */
export function stopsOfTest() {
  const stops: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });
  return {
    stops,
    async started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
      const server = await starting;
      stops.push(() => server.stop());
      return server;
    },
    client(options: RelayOptions): RelayUnderTest {
      const relay = relayUnderTest(options);
      stops.push(() => relay.http.dispose());
      return relay;
    },
  };
}
