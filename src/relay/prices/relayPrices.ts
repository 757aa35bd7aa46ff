import { type Clock, systemClock } from '../../base/clock.ts';
import { isCancelled } from '../../base/errors/errors.ts';
import { parseJson } from '../../base/json.ts';
import { untilAborted } from '../../base/async/promises.ts';
import type { Price } from './price.ts';
import { litellmPrices, isNewApiPricing, newApiPrices, shownMoney, type Prices } from './readPrices.ts';
import { getJson, type RelayContext } from '../relayCall.ts';

/** Prices are optional: no answer waits longer for them. */
const limitMs = 5_000;
const pauseMs = 5 * 60_000;
const maxBytes = 32 * 1024 * 1024;
const none: Prices = new Map();

/** Loaded on first use and after each reload of the model list, which has OpenRouter's prices. */
export class RelayPrices {
  private listed: Prices | undefined;
  private known = none;
  private loading: { prices: Promise<Prices>; beganMs: number; hasFailed: boolean } | undefined;

  constructor(
    private readonly context: RelayContext,
    private readonly list: (signal: AbortSignal) => Promise<Prices>,
    private readonly clock: Clock = systemClock,
  ) {}

  keep(listed: Prices): void {
    this.listed = listed;
    this.loading = undefined;
  }

  async of(model: string): Promise<Price | undefined> {
    return (await this.load()).get(model);
  }

  private load(): Promise<Prices> {
    const nowMs = this.clock.now();
    if (!this.loading || (this.loading.hasFailed && nowMs - this.loading.beganMs >= pauseMs)) {
      const loading = { prices: Promise.resolve(none), beganMs: nowMs, hasFailed: false };
      this.loading = loading;
      loading.prices = this.read().then(
        (prices) => (this.known = prices),
        (error: unknown) => {
          loading.hasFailed = true;
          const why = isCancelled(error) ? 'no answer in time' : 'they could not be read';
          this.context.log.info(`No prices: ${why}`);
          return this.known;
        },
      );
    }
    return this.loading.prices;
  }

  private async read(): Promise<Prices> {
    const signal = AbortSignal.timeout(limitMs);
    const listed = this.listed ?? (await untilAborted(this.list(signal), signal));
    if (listed.size > 0) return listed;
    const pricing = await this.get('/api/pricing', signal);
    if (isNewApiPricing(pricing)) {
      const money = shownMoney(await this.get('/api/status', signal));
      return (money && newApiPrices(pricing, money)) ?? none;
    }
    return litellmPrices(await this.get('/model/info', signal)) ?? none;
  }

  private async get(path: string, signal: AbortSignal): Promise<unknown> {
    const { connectMs } = this.context.timeouts;
    const timeouts = { connectMs, firstTokenMs: limitMs, idleMs: limitMs };
    const response = await getJson({ ...this.context, timeouts }, path, signal);
    if (response.status === 200) return parseJson(await response.text(maxBytes));
    response.close();
    return undefined;
  }
}
