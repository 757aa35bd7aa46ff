/** Milliseconds of processor time that `work` takes here. The clock would also count what runs beside it. */
export function processorMs(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
