import { call } from "@/lib/api/call";
import { getUserProfile } from "@/lib/features/auth/operations/get-user-profile";
import { NotFoundMessage } from "./not-found-message";

/** The not-found page within the shell. */
export async function NotFoundInShell() {
  const { user } = await call(getUserProfile, {});
  return <NotFoundMessage email={user.email} />;
}
