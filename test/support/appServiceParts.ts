import { AppService, type AppServiceDependencies } from '../../src/apps/appService.ts';
import { createMemoryKeys } from './memoryKeys.ts';
import { silentLog } from './silentLog.ts';

const asksNothing = () => Promise.reject(new Error('asks nothing'));

/** The apps of a window. Without `parts`, nothing is stored, nobody is asked, and apps are called `own1`, `own2`, …. */
export function createAppService(parts: Partial<AppServiceDependencies> = {}): AppService {
  let stored: unknown;
  let ids = 0;
  return new AppService({
    store: { read: () => stored, write: (value) => void (stored = value) },
    keys: createMemoryKeys(),
    environment: {},
    log: silentLog,
    createClient: asksNothing,
    createAccountClient: asksNothing,
    onSignInEnding: () => undefined,
    pictureFolder: '/none',
    user: () => 'me',
    newId: () => `own${++ids}`,
    now: () => 0,
    files: () => Promise.reject(new Error('no files')),
    streams: () => true,
    ...parts,
  });
}
