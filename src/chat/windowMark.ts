import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemCode } from '../base/systemCode.ts';

/** Which window did something, for others to know whether it is still there. */
export interface WindowMark {
  id: string;
  pid: number;
  host: string;
}

export const thisWindow: WindowMark = { id: randomUUID(), pid: process.pid, host: hostname() };

/** Another machine or container is taken for gone: nobody here can tell, and what runs there is not heard of. */
export function isWindowThere({ id, pid, host }: WindowMark): boolean {
  return id === thisWindow.id || (host === thisWindow.host && pid !== thisWindow.pid && isAlive(pid));
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}
