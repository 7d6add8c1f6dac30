import { NotFoundMessage } from "@/components/common/shell/not-found-on-demand";
import { call, requireUser } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";

/** The not-found page within the shell. */
export async function NotFoundInShell() {
  const [{ isAdmin }, { user }] = await Promise.all([requireUser(), call(getUserProfile, {})]);
  return <NotFoundMessage email={user.email} isAdmin={isAdmin} />;
}
