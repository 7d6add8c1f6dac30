import { createShareLink } from "@/lib/features/share-links/operations/create-share-link";
import { type Answer, type Caller, send } from "./console";

/** Creates a share link. @returns the body of the response */
export async function aShareLink(caller: Caller, input: Record<string, unknown>): Promise<Answer["body"]> {
  const answer = await send(createShareLink, caller, { name: "For the client", ...input });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
