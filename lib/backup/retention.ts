/** How many backups are kept: the newest one of each of the latest days, weeks and months that have one, in UTC. */
interface Retention {
  daily: number;
  weekly: number;
  monthly: number;
}

/** The Monday of a week. */
function weekOf(day: Date): string {
  const monday = new Date(day);
  monday.setUTCDate(day.getUTCDate() - ((day.getUTCDay() + 6) % 7));
  return monday.toISOString().slice(0, 10);
}

const PERIODS: Record<keyof Retention, (at: Date) => string> = {
  daily: (at) => at.toISOString().slice(0, 10),
  weekly: weekOf,
  monthly: (at) => at.toISOString().slice(0, 7),
};

/**
 * The backups that the rule does not keep. The newest one is always kept.
 * @param backups in any order
 */
export function expiredBackups<Backup extends { createdAt: string }>(
  backups: readonly Backup[],
  retention: Retention,
): Backup[] {
  const newestFirst = [...backups].sort((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt));
  const kept = new Set(newestFirst.slice(0, 1));
  for (const period of ["daily", "weekly", "monthly"] as const) {
    const seen = new Set<string>();
    for (const backup of newestFirst) {
      const name = PERIODS[period](new Date(backup.createdAt));
      if (seen.has(name) || seen.size >= retention[period]) continue;
      seen.add(name);
      kept.add(backup);
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup)).reverse();
}
