import { isCancelled } from '../../base/errors/errors.ts';
import type { AppRecord } from '../appRegistry.ts';
import type { AppService } from '../appService.ts';
import type { AppClient } from '../client/appClient.ts';

/** Apps of one name that are asked for their runs. */
const mostAsked = 5;

/** Finds the key of a sign-in's app: its runs report more. No route tells it; a version or run of the app proves it. */
export class KeyedTwins {
  /** By ids of the sign-in's apps. Another key makes another client, and is asked again. */
  private readonly proven = new Map<string, { app: AppRecord; client: AppClient }>();

  constructor(private readonly apps: Pick<AppService, 'apps' | 'client' | 'find'>) {}

  async find(
    app: AppRecord,
    hasVersion: (workflowId: string) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<AppRecord | undefined> {
    const known = this.proven.get(app.id);
    if (known && this.apps.find(known.app.id) && (await this.apps.client(known.app.id)) === known.client) {
      return known.app;
    }
    return this.firstThat(app, signal, async (client) => {
      const { runs } = await client.workflowLogs(1, signal);
      const id = runs[0]?.id;
      const workflowId = id === undefined ? undefined : (await client.workflowRun(id, signal)).workflowId;
      return workflowId !== undefined && (await hasVersion(workflowId));
    });
  }

  /** Looks for the key by a run that the sign-in began. */
  learn(app: AppRecord, runId: string, signal: AbortSignal): Promise<AppRecord | undefined> {
    return this.firstThat(
      app,
      signal,
      async (client) => (await client.workflowRun(runId, signal)).id === runId,
    );
  }

  private async firstThat(
    app: AppRecord,
    signal: AbortSignal,
    isSame: (client: AppClient) => Promise<boolean>,
  ): Promise<AppRecord | undefined> {
    for (const candidate of this.candidates(app)) {
      try {
        const client = await this.apps.client(candidate.id);
        if (!(await isSame(client))) continue;
        this.proven.set(app.id, { app: candidate, client });
        return candidate;
      } catch (error) {
        // Another app's key answers 404; after any other failure, the sign-in can still run the app.
        if (isCancelled(error) || signal.aborted) throw error;
      }
    }
    return undefined;
  }

  private candidates({ kind, name, origin }: AppRecord): AppRecord[] {
    return this.apps.apps
      .filter(
        (each) => !each.account && each.name === name && (each.kind === kind || each.kind === 'unknown'),
      )
      .filter((each) => isSameSite(each.origin, origin))
      .slice(0, mostAsked);
  }
}

/** In the cloud, the service API and the console have different hosts of one domain. */
function isSameSite(one: string, other: string): boolean {
  if (one === other) return true;
  const [a, b] = [new URL(one), new URL(other)];
  const domainOf = ({ hostname }: URL) => hostname.split('.').slice(-2).join('.');
  return (
    a.protocol === b.protocol &&
    /[a-z]$/.test(a.hostname) &&
    a.hostname.includes('.') &&
    domainOf(a) === domainOf(b)
  );
}
