import type { Log } from '../../src/base/log.ts';

/** For tests that do not look at what is logged. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
