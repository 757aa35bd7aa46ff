import { createHttpClient } from '../../src/net/httpClient.ts';
import { checkModel, type CheckOptions } from '../../src/relay/check/checkModel.ts';
import { type ModelCheck, renderCheckReport } from '../../src/relay/check/checkReport.ts';
import type { FindingName } from '../../src/relay/check/checkFindings.ts';
import { createProfiles, type ModelProfiles } from '../../src/relay/profile/modelFacts.ts';
import { silentLog } from './silentLog.ts';

export interface CheckedOptions extends Partial<Omit<CheckOptions, 'model'>> {
  baseUrl: string;
  key: string;
  model: string;
  profiles?: ModelProfiles;
}

export async function checked({
  baseUrl,
  key,
  profiles = createProfiles(),
  signal = new AbortController().signal,
  onStep = () => undefined,
  ...options
}: CheckedOptions): Promise<{ check: ModelCheck; report: string; lines: Record<FindingName, string> }> {
  const http = createHttpClient({
    ...{ settings: () => ({ noProxy: [], strictTls: true }), log: silentLog, environment: {} },
  });
  const timeouts = { connectMs: 5_000, firstTokenMs: 10_000, idleMs: 10_000 };
  const connection = { baseUrl, key, headers: {} };
  try {
    const context = { http, connection, timeouts, log: silentLog, profiles };
    const check = await checkModel(context, { signal, onStep, ...options });
    const report = renderCheckReport([check], []);
    return { check, report, lines: linesOf(check) };
  } finally {
    http.dispose();
  }
}

export function linesOf({ findings }: ModelCheck): Record<FindingName, string> {
  const lines = findings.map(({ name, verdict, text }) => [name, `${verdict}: ${text}`]);
  return Object.fromEntries(lines) as Record<FindingName, string>;
}
