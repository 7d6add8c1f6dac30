import type { InstallCheck } from "@/lib/features/installs/schema";

type Finding = InstallCheck["checks"][number];

/** The worst result of a check. */
export function checkOutcome({ ok, checks }: InstallCheck): "ok" | "warning" | "failure" {
  if (!ok) return "failure";
  return checks.some(({ result }) => result === "warning") ? "warning" : "ok";
}

/** The failure at which a phone stops; null if there is none. */
export function firstProblem({ checks }: InstallCheck): Finding | null {
  return checks.find(({ result }) => result === "failure") ?? null;
}
