import { part } from '../part.tsx';

/** What only apps need: loaded with the first of it. */
export const AppLook = part(async () => (await import('./appLook.tsx')).AppLook);
export const AppStart = part(async () => (await import('./appStart.tsx')).AppStart);
export const AwaitedInput = part(async () => (await import('./awaitedInput.tsx')).AwaitedInput);
export const OutputFiles = part(async () => (await import('./outputFiles.tsx')).OutputFiles);
export const Questions = part(async () => (await import('./questions.tsx')).Questions);
export const Ratings = part(async () => (await import('./ratings.tsx')).Ratings);
export const RunGroup = part(async () => (await import('./runGroup.tsx')).RunGroup);
