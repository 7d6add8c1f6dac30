import { DAY_MS, HOUR_MS } from "@/lib/kernel/time";
import { flushVisits, recordVisit } from "@/lib/visits/record";
import { stepsUpTo, type VisitDevice } from "@/lib/visits/state";
import { namedVisitor } from "@/lib/visits/visitor";

const DEVICES: readonly VisitDevice[] = [
  { os: "ios", osVersion: "18.6", model: "iPhone15,2", isExact: true },
  { os: "ios", osVersion: "26.1", model: "iPhone17,3", isExact: true },
  { os: "ios", osVersion: "16.7", model: null },
  { os: "ipados", osVersion: "18.5", model: "iPad13,4", isExact: true },
  { os: "desktop", osVersion: null, model: null },
];

/** How far the visitors of the demonstration come, and what is in the way of those who do not go on. */
const VISITS = [
  { device: 0, step: "complete" },
  { device: 1, step: "complete" },
  { device: 2, step: "opened", codes: ["system_too_old"] },
  { device: 1, step: "complete" },
  { device: 3, step: "manifest", codes: ["device_not_enrolled"] },
  { device: 0, step: "begun" },
  { device: 4, step: "opened" },
  { device: 1, step: "complete" },
  { device: 0, step: "tapped", codes: ["device_not_enrolled"] },
] as const;
const DAYS = 9;

/** Records how visitors without an account came to install a release on the last days, for the demonstration. */
export async function recordDemoVisits(releaseId: string, now: number): Promise<void> {
  for (let day = 0; day < DAYS; day += 1) {
    for (const [index, visit] of VISITS.slice(0, VISITS.length - (day % 4)).entries()) {
      const at = new Date(now - day * DAY_MS - index * HOUR_MS);
      const visitor = namedVisitor("demonstration", String(day), String(index));
      const steps = stepsUpTo(visit.step, true);
      const codes = "codes" in visit ? visit.codes : [];
      const device = DEVICES[visit.device];
      recordVisit({ releaseId, visitor, at, steps, codes, ...(device && { device }) });
      if (visit.step === "complete") recordVisit({ releaseId, visitor, at, steps: ["icons"] });
    }
  }
  await flushVisits();
}
