import type { ReasonCode } from "@slipway/installers";
import { INSTALL_STEPS, type InstallStep, type StoppingStep } from "@/lib/kernel/install-steps";
import { type ByteRange, coversAll, union } from "./ranges";
import type { Visitor } from "./visitor";

/** A device as far as it is known. */
export interface VisitDevice {
  os: "ios" | "ipados" | "android" | "desktop";
  /** An iOS version or an Android API level. */
  osVersion: string | null;
  model: string | null;
  /** Whether the system itself told, and no browser. */
  isExact?: boolean;
}

/** The file that a device gets. */
export interface Package {
  fileId: string;
  /** Bytes. */
  size: number;
}

/** What is known of a visit after something happened. */
export interface VisitChange {
  releaseId: string;
  visitor: Visitor;
  at: Date;
  steps: readonly InstallStep[];
  device?: VisitDevice;
  /** Why the release does not install on the device, or not at once. */
  codes?: readonly ReasonCode[];
  /** The file of which ranges were sent. */
  package?: Package;
  ranges?: readonly ByteRange[];
  /** Whether the store sends the file, so that the console does not see how much. */
  fromStore?: boolean;
}

/** A visit: somebody who comes to install a release. */
export interface VisitState {
  /** The UTC day on which it began. */
  day: string;
  device: VisitDevice;
  codes: readonly string[];
  /** When each step was reached first. */
  reached: Readonly<Partial<Record<InstallStep, Date>>>;
  package: Package | null;
  /** What was sent of the package; empty once it is complete. */
  ranges: readonly ByteRange[];
  fromStore: boolean;
}

/** The row of counts that a visit belongs to. */
export interface CountKey {
  day: string;
  os: VisitDevice["os"];
  /** The first number of the iOS version, or the Android API level; empty if it is not known. */
  system: string;
  /** The model; empty if it is not known. */
  device: string;
}

/** Why a visit did not go on, and where. */
export interface Stop {
  step: StoppingStep;
  codes: readonly string[];
}

const UNKNOWN_DEVICE: VisitDevice = { os: "desktop", osVersion: null, model: null };

/** The steps that have happened when one has, on a way with a manifest or without. */
export function stepsUpTo(step: InstallStep, hasManifest: boolean): InstallStep[] {
  const onTheWay = INSTALL_STEPS.slice(0, INSTALL_STEPS.indexOf(step === "icons" ? "manifest" : step) + 1);
  const reached = onTheWay.filter((one) => hasManifest || one !== "manifest");
  return step === "icons" ? [...reached, "icons"] : reached;
}

/**
 * The device of a visit that was on one, and now is on another. What the system tells replaces what its browser told. A visit that
 * began on a computer and goes on on a phone is one of the phone.
 */
function mergedDevice(known: VisitDevice | null, found: VisitDevice | undefined): VisitDevice {
  if (!found) return known ?? UNKNOWN_DEVICE;
  if (!known || (known.os === "desktop" && found.os !== "desktop")) return found;
  if (found.isExact && !known.isExact) return found;
  // A browser that presents an iPad as another device does not take back what the system told.
  if (found.os !== known.os) return known;
  return { ...known, osVersion: known.osVersion ?? found.osVersion, model: known.model ?? found.model };
}

function earlier(one: Date | undefined, other: Date): Date {
  return one && one <= other ? one : other;
}

/** A visit after something happened. */
export function afterChange(before: VisitState | null, change: VisitChange): VisitState {
  const { at, steps, device, codes, package: file, ranges = [], fromStore } = change;
  const reached = { ...before?.reached };
  for (const step of steps) reached[step] = earlier(reached[step], at);
  const isSame = !file || before?.package?.fileId === file.fileId;
  const known = isSame ? (before?.package ?? file ?? null) : file;
  let sent = reached.complete ? [] : union(isSame ? (before?.ranges ?? []) : [], ranges);
  if (known && !reached.complete && coversAll(sent, known.size)) {
    reached.complete = at;
    sent = [];
  }
  return {
    day: before?.day ?? at.toISOString().slice(0, 10),
    device: mergedDevice(before?.device ?? null, device),
    codes: codes ? [...codes].sort() : (before?.codes ?? []),
    reached,
    package: known,
    ranges: sent,
    fromStore: fromStore ?? before?.fromStore ?? false,
  };
}

/** Two changes of one visit as one. The first one happened before the second. */
export function mergedChange(first: VisitChange, second: VisitChange): VisitChange {
  const file = second.package ?? first.package;
  const isSame = !first.package || first.package.fileId === file?.fileId;
  const device = second.device ? mergedDevice(first.device ?? null, second.device) : first.device;
  const codes = second.codes ?? first.codes;
  const fromStore = second.fromStore ?? first.fromStore;
  return {
    ...first,
    steps: [...new Set([...first.steps, ...second.steps])],
    ...(device && { device }),
    ...(codes && { codes }),
    ...(file && { package: file }),
    ranges: union(isSame ? (first.ranges ?? []) : [], second.ranges ?? []),
    ...(fromStore !== undefined && { fromStore }),
  };
}

const MAX_MODEL = 64;

/** Where a visit is counted. */
export function countKeyOf({ day, device: { os, osVersion, model } }: VisitState): CountKey {
  const system = /^\d{1,2}(?=\.|$)/.exec(osVersion ?? "")?.[0] ?? "";
  return { day, os, system, device: (model ?? "").slice(0, MAX_MODEL) };
}

/** Where a visit has stopped until now; null if all of the package was sent, or the store sends it. */
export function stopOf({ reached, codes, fromStore }: VisitState): Stop | null {
  if (reached.complete) return null;
  const step = (["begun", "manifest", "tapped", "opened"] as const).find((one) => reached[one]);
  return !step || (step === "begun" && fromStore) ? null : { step, codes };
}
