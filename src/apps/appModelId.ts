/** Prefix of apps among model ids, followed by `AppRecord.id`, which the platform doesn't know. */
const prefix = 'app:';

const accountPrefix = 'account-';

export function accountAppId(hash: string): string {
  return accountPrefix + hash;
}

export function isAccountApp(appId: string): boolean {
  return appId.startsWith(accountPrefix);
}

export function appModelId(appId: string): string {
  return prefix + appId;
}

export function appIdOf(modelId: string): string | undefined {
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : undefined;
}
