/**
 * The processor time that this process has used since its start, in milliseconds: a bound on it holds on a busy machine
 * too, which lengthens the time on the clock.
 */
export function processorTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
