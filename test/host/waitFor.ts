import { setTimeout as delay } from 'node:timers/promises';
import type { StartedProcess } from './processes.ts';

/** Polls a health address; rejects with the server's output if the server ends or times out. */
export async function waitForServer(url: string, server: StartedProcess, deadlineMs = 60_000): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await answers(url))) {
    const { exitCode, signalCode } = server.child;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`The server ended with ${exitCode ?? signalCode}:\n${server.output().slice(-4000)}`);
    }
    if (Date.now() > deadline) {
      throw new Error(`${url} did not answer in ${deadlineMs / 1000} s:\n${server.output().slice(-4000)}`);
    }
    await delay(50);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
