import "server-only";
import { DESKTOP, type DeviceFacts, deviceFromHeaders } from "@slipway/installers";
import type { z } from "zod";
import type { Db } from "@/lib/db/client";
import { findDevice } from "@/lib/features/devices/data";
import type { RequestFacts } from "@/lib/http/request-facts";
import { ApiError } from "@/lib/kernel/errors";
import { hex } from "@/lib/kernel/hex";
import type { Actor } from "@/lib/permissions/actor";
import type { StoredFacts } from "@/lib/storage/installer-facts";
import type { getInstallVerdictInput } from "../schema";

type Given = z.output<typeof getInstallVerdictInput>;

/**
 * Whether a profile lists a device, by their keyed hashes.
 * @returns null if one of them is not known
 */
function isRegistered(udidHash: Uint8Array | null, { deviceHashes }: StoredFacts): boolean | null {
  if (udidHash === null || deviceHashes === null) return null;
  return deviceHashes.includes(hex(udidHash));
}

/**
 * The device of a call: the enrolled one, or what is given and otherwise what the request tells.
 * @throws ApiError not_found if the caller has no such device
 */
export async function judgedDevice(
  db: Db,
  given: Given,
  { actor, request, stored }: { actor: Actor; request: RequestFacts; stored: StoredFacts },
): Promise<DeviceFacts> {
  const { deviceId, os, osVersion, model, abis, browser } = given;
  const said = {
    ...(osVersion !== undefined && { osVersion, osVersionIsMinimum: false }),
    ...(model && { model }),
    ...(abis !== undefined && { abis, abisAreSome: false }),
    ...(browser !== undefined && { browser }),
  };
  if (deviceId !== undefined) {
    const row = actor.kind === "user" ? await findDevice(db, deviceId) : null;
    if (!row || actor.kind !== "user" || row.userId !== actor.userId) throw new ApiError("not_found");
    const registered = isRegistered(row.udidHash, stored);
    // Devices are updated after their enrolment, and do not go back.
    const version = { osVersion: row.osVersion, osVersionIsMinimum: row.osVersion !== null };
    return { ...DESKTOP, os: row.os, ...version, model: row.model, ...said, registered };
  }
  const told = deviceFromHeaders(request.headers);
  return { ...(os === undefined || os === told.os ? told : { ...DESKTOP, os }), ...said };
}
