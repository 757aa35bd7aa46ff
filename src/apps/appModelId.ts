/** Prefix of apps among model ids, followed by `AppRecord.id`, which the platform doesn't know. */
const prefix = 'app:';

const accountPrefix = 'account-';

/** Id of an app that is used by a sign-in. */
export function accountAppId(hash: string): string {
  return accountPrefix + hash;
}

/** True for an app that is used by a sign-in, and so has no key of its own. */
export function isAccountApp(appId: string): boolean {
  return appId.startsWith(accountPrefix);
}

export function appModelId(appId: string): string {
  return prefix + appId;
}

export function appIdOf(modelId: string): string | undefined {
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : undefined;
}
