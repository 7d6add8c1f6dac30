/**
 * The processor time that this thread has used since its start, in milliseconds: a bound on it holds on a busy machine
 * too, which lengthens the time on the clock, and beside other test files in threads of the same process.
 */
export function processorTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
