import "server-only";
import { db } from "@/lib/db/client";
import { getClientEnvironment } from "@/lib/features/client/operations/get-environment";
import { ApiError } from "@/lib/kernel/errors";
import type { TokenActor } from "@/lib/permissions/actor";

/** The application and the environment of a token. */
export async function placeOf(actor: TokenActor, { now }: { now: Date }) {
  const place = await getClientEnvironment.target?.({}, db, actor, { now, subject: "", visitor: null });
  if (!place) throw new ApiError("not_found");
  return place;
}
