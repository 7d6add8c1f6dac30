/** A remaining time for people, rounded so that the figure does not change constantly. */
type RoundedDuration =
  | { unit: "moment" }
  | { unit: "seconds"; seconds: number }
  | { unit: "minutes"; minutes: number }
  | { unit: "hours"; hours: number; minutes: number };

/**
 * Rounds a remaining time.
 *
 * @param seconds not negative
 */
export function roundedDuration(seconds: number): RoundedDuration {
  if (seconds < 5) return { unit: "moment" };
  if (seconds < 57.5) return { unit: "seconds", seconds: Math.round(seconds / 5) * 5 };
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return { unit: "minutes", minutes: Math.max(1, minutes) };
  const rounded = Math.round(minutes / 5) * 5;
  return { unit: "hours", hours: Math.floor(rounded / 60), minutes: rounded % 60 };
}
