import { countTokens } from '../../relay/tokens.ts';
import type { AppTurn } from './scriptedApp.ts';

export function usageOf(turn: AppTurn, answer: string): object {
  const asked = [
    turn.query,
    JSON.stringify(turn.inputs),
    ...turn.history.flatMap((one) => Object.values(one)),
  ];
  const prompt = asked.reduce((sum, part) => sum + countTokens(part), 0);
  const completion = countTokens(answer);
  return {
    prompt_tokens: prompt,
    prompt_unit_price: '0.001',
    prompt_price_unit: '0.001',
    prompt_price: priceOf(prompt),
    completion_tokens: completion,
    completion_unit_price: '0.001',
    completion_price_unit: '0.001',
    completion_price: priceOf(completion),
    total_tokens: prompt + completion,
    total_price: priceOf(prompt + completion),
    currency: 'USD',
    latency: 0.42,
    time_to_first_token: 0.11,
    time_to_generate: 0.31,
  };
}

/** In dollars, as a decimal text. */
export function priceOf(tokens: number): string {
  return (tokens / 1_000_000).toFixed(7);
}
