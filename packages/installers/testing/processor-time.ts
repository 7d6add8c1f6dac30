/**
 * The processor time that this thread has used since its start, in milliseconds. Unlike time on the clock, it does not grow while the
 * machine or other threads of the process, which may run other test files, are busy. Work that is handed to other threads does not count.
 */
export function processorTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
