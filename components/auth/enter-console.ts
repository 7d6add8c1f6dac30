import { startPath } from "@/components/navigation/navigation";
import { tellOtherTabs } from "@/components/session/session-channel";
import type { User } from "@/lib/features/auth/schema";
import { SUPER_ADMIN } from "@/lib/permissions/actor";

/**
 * Goes on after a sign-in, and brings the other tabs along.
 * @param next the page that was wanted before it, already checked to be one of this console
 */
export function enterConsole(user: User, next: string | null): void {
  tellOtherTabs({ type: "signed-in", userId: user.id });
  window.location.assign(next ?? startPath(user.role.name === SUPER_ADMIN));
}
