import "server-only";
import { env } from "@/lib/kernel/env";
import type { ConsoleEvent } from "@/lib/kernel/events";
import { PAGES } from "@/lib/kernel/navigation/pages";
import { type AuthenticatedActor, causeOf } from "@/lib/permissions/actor";

/** The event of a user who was added or invited. */
export function invitedEvent(
  user: { id: string; email: string },
  role: { id: string; name: string },
  actor: AuthenticatedActor,
): ConsoleEvent {
  const { id, email } = user;
  const data = {
    user: { id, email },
    role: { id: role.id, name: role.name },
    by: causeOf(actor),
    url: `${env.APP_URL}${PAGES.adminUsers}`,
  };
  return { type: "user.invited", appId: null, data };
}
