import { type Clock, systemClock } from '../base/clock.ts';
import { isCancelled } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { untilAborted } from '../base/untilAborted.ts';
import type { Price } from './price.ts';
import { litellmPrices, isNewApiPricing, newApiPrices, shownMoney, type Prices } from './readPrices.ts';
import { getJson, type RelayContext } from './relayCall.ts';

/** Prices are an extra: no answer waits longer for them. */
const limitMs = 5_000;
/** So long a relay that did not answer is not asked again. */
const pauseMs = 5 * 60_000;
const maxBytes = 32 * 1024 * 1024;
const none: Prices = new Map();

/**
 * What a relay takes for its models. Asked once, when it is first needed, and kept as long as the connection is: the list of
 * models has the prices of OpenRouter, `/api/pricing` those of new-api, `/model/info` those of LiteLLM.
 */
export class RelayPrices {
  private listed: Prices | undefined;
  private loading: { prices: Promise<Prices>; beganMs: number; hasFailed: boolean } | undefined;

  constructor(
    private readonly context: RelayContext,
    private readonly list: (signal: AbortSignal) => Promise<Prices>,
    private readonly clock: Clock = systemClock,
  ) {}

  /** The list of models has been read, for whatever reason: its prices are newer than those that are kept. */
  keep(listed: Prices): void {
    this.listed = listed;
    if (listed.size > 0) this.loading = { prices: Promise.resolve(listed), beganMs: 0, hasFailed: false };
  }

  /** Undefined for what the relay tells no price of, and where it does not answer in time. Never rejects. */
  async of(model: string): Promise<Price | undefined> {
    return (await this.load()).get(model);
  }

  private load(): Promise<Prices> {
    const nowMs = this.clock.now();
    if (!this.loading || (this.loading.hasFailed && nowMs - this.loading.beganMs >= pauseMs)) {
      const loading = { prices: Promise.resolve(none), beganMs: nowMs, hasFailed: false };
      loading.prices = this.read().catch((error: unknown) => {
        loading.hasFailed = true;
        const why = isCancelled(error) ? 'no answer in time' : 'they could not be read';
        this.context.log.info(`No prices: ${why}`);
        return none;
      });
      this.loading = loading;
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

  /** The body as JSON; undefined where the relay has no such page. */
  private async get(path: string, signal: AbortSignal): Promise<unknown> {
    const { connectMs } = this.context.timeouts;
    const timeouts = { connectMs, firstTokenMs: limitMs, idleMs: limitMs };
    const response = await getJson({ ...this.context, timeouts }, path, signal);
    if (response.status === 200) return parseJson(await response.text(maxBytes));
    response.close();
    return undefined;
  }
}
