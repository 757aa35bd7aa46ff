/**
 * Conversations, the model picker and the settings name who answers by one text: the id of a model of the relay. Where
 * an app of the platform answers, it is `app:` and the id under which the app is saved here (`AppRecord.id`, which the
 * platform does not know). So an app is chosen, saved and shown like a model, and only what asks looks which it is.
 */
const prefix = 'app:';

/** What stands for an app where a model's id does. */
export function appModelId(appId: string): string {
  return prefix + appId;
}

/** The app that a model's id stands for, if it is one. */
export function appIdOf(modelId: string): string | undefined {
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : undefined;
}
