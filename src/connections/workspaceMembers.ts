import type { Clients } from './clients.ts';
import { consoleOf } from './otherAddresses.ts';
import type { KeyStore } from './keyStore.ts';
import { PlatformSessions } from './platformSessions.ts';
import { createOpenapiClient } from '../platform/openapi/openapiClient.ts';
import type { Member } from '../platform/openapi/openapiRecords.ts';

export interface MembersOf {
  workspace: string;
  members: readonly Member[];
}

export interface MembersDependencies {
  keys: KeyStore;
  clients: Pick<Clients, 'contextOf'>;
}

/** Uses the sign-in to the platform, if any: keys list no members and don't tell their workspace. */
export async function workspaceMembers(
  { keys, clients }: MembersDependencies,
  { baseUrl, createdBy }: { baseUrl: string; createdBy: string },
  signal: AbortSignal,
): Promise<MembersOf[]> {
  const { origin } = new URL(consoleOf(baseUrl) ?? baseUrl);
  const session = await new PlatformSessions(keys).read(origin);
  if (!session || session.expiresAtMs <= Date.now()) return [];
  const context = await clients.contextOf({ baseUrl: session.baseUrl, key: session.token });
  const client = createOpenapiClient(Object.assign(context, { expiresAtMs: session.expiresAtMs }));
  const fitting: MembersOf[] = [];
  for (const { id, name } of await client.workspaces(signal)) {
    const members: Member[] = [];
    for await (const page of client.members(id, signal)) members.push(...page);
    if (members.some((member) => member.id === createdBy)) fitting.push({ workspace: name, members });
  }
  return fitting;
}
