import { randomUUID } from "node:crypto";
import { createTesterGroup } from "@/lib/features/testers/operations/create-tester-group";
import { getTesterGroupMembers } from "@/lib/features/testers/operations/get-tester-group-members";
import { type Answer, type Caller, send } from "./console";

/** Creates a group of testers. @returns the body of the response */
export async function aTesterGroup(caller: Caller, input: Record<string, unknown>): Promise<Answer["body"]> {
  const answer = await send(createTesterGroup, caller, { name: `Beta ${randomUUID()}`, ...input });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** The members of a group. */
export async function membersOf(caller: Caller, groupId: string): Promise<Answer["body"][]> {
  return (await send(getTesterGroupMembers, caller, { groupId })).body.items;
}
