import { randomUUID } from "node:crypto";
import { db } from "@/lib/db/client";
import { createTesterGroup } from "@/lib/features/testers/operations/create-tester-group";
import { getTesterGroupMembers } from "@/lib/features/testers/operations/get-tester-group-members";
import { newId } from "@/lib/kernel/ids";
import { GROUP_SCOPES } from "@/lib/permissions/scopes";
import { type Answer, aUser, type Caller, send, type TestUser } from "./console";

/** Gives the role of a user a permission for the releases of a group. */
export async function grantGroup(
  { roleId }: Pick<TestUser, "roleId">,
  groupId: string,
  scopes: readonly (typeof GROUP_SCOPES)[number][] = GROUP_SCOPES,
): Promise<void> {
  const groups = { create: { groupId } };
  await db.rolePermission.create({ data: { id: newId(), roleId, scopes: [...scopes], allApps: false, groups } });
}

/** A user whose only permission is for the releases that are distributed to a new group of an application. */
export async function aGroupReader(group: {
  appId: string;
  /** By default, all of the application. */
  environmentIds?: readonly string[];
  scopes?: readonly (typeof GROUP_SCOPES)[number][];
}): Promise<TestUser & { groupId: string }> {
  const { appId, environmentIds, scopes = GROUP_SCOPES } = group;
  const user = await aUser();
  const groupId = newId();
  const name = `Beta ${groupId}`;
  const places = { allEnvironments: environmentIds === undefined, environmentIds: [...(environmentIds ?? [])] };
  await db.testerGroup.create({ data: { id: groupId, appId, name, ...places } });
  await grantGroup(user, groupId, scopes);
  return { ...user, groupId };
}

/** Distributes a release to a group, and tells nobody. */
export async function distributed(releaseId: string, groupId: string): Promise<void> {
  await db.releaseTesterGroup.create({ data: { releaseId, groupId, createdAt: new Date() } });
}

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
