import type { DeviceFacts } from "@slipway/installers";
import { hasDeviceFile, platformKindOf } from "@/lib/features/releases/rules";
import type { Release } from "@/lib/features/releases/schema";
import { systemOf } from "./system";

type File = Pick<Release, "id" | "installer" | "universal">;

/** Whether a file can be meant for the operating system of a device; for a computer, each can. */
function fits(file: File, device: DeviceFacts): boolean {
  const system = systemOf(device);
  return system === null || (hasDeviceFile(file) && platformKindOf(file.installer.kind) === system);
}

/**
 * The file that a link to one file of a build gives to a device: the linked one if it is for the device's system, otherwise the
 * build's file that is; the linked one if there is none.
 * @param files of the build
 */
export function fileForDevice<F extends File>(linked: F, files: readonly F[], device: DeviceFacts): F {
  if (fits(linked, device)) return linked;
  const fitting = files.filter((file) => fits(file, device));
  return fitting.find(({ installer }) => installer.kind !== "aab") ?? fitting[0] ?? linked;
}
