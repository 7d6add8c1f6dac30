import { noteSignIn } from "@/components/common/session/local-state-items";
import { notifyOtherTabs } from "@/components/common/session/session-channel";
import type { User } from "@/lib/features/auth/schema";
import { startPath } from "@/lib/kernel/navigation/pages";
import { SUPER_ADMIN } from "@/lib/permissions/actor";

/**
 * Opens the console after a sign-in, and tells the other tabs about it.
 * @param next the path that was requested before the sign-in, already checked to be a path of this console
 */
export function enterConsole(user: User, next: string | null): void {
  noteSignIn();
  notifyOtherTabs({ type: "signed-in", userId: user.id });
  window.location.assign(next ?? startPath(user.role.name === SUPER_ADMIN));
}
