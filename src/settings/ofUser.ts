/** The values of a setting by where they are set, as the editor tells them. */
export interface SettingPlaces<T> {
  defaultValue?: T | undefined;
  globalValue?: T | undefined;
  workspaceValue?: T | undefined;
  workspaceFolderValue?: T | undefined;
}

/**
 * What counts of a setting that no workspace may set: the user's value, or the default.
 * @param merged what the editor makes of all places; it counts where no workspace has a say, since it may come from a policy
 */
export function ofUser<T>(merged: T, places: SettingPlaces<T> | undefined): T | undefined {
  const { defaultValue, globalValue = defaultValue, workspaceValue, workspaceFolderValue } = places ?? {};
  return workspaceValue === undefined && workspaceFolderValue === undefined ? merged : globalValue;
}
