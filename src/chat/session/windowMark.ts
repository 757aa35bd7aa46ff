import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemCode } from '../../base/errors/errors.ts';

export interface WindowMark {
  id: string;
  pid: number;
  host: string;
}

export const thisWindow: WindowMark = { id: randomUUID(), pid: process.pid, host: hostname() };

/** Windows on other machines or in other containers count as closed, since their processes can't be checked. */
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
