import { randomUUID } from "node:crypto";
import type { Operation } from "@/lib/api/operation";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/kernel/ids";
import { type Answer, type Caller, send } from "./console";
import { aRelease } from "./releases";
import type { Sample } from "./sample";
import type { World } from "./world";

/** The columns that name the owner of a bisection. */
function ownerColumns(owner: Caller): { userId?: string; tokenId?: string } {
  const { userId, tokenId } = owner as Partial<{ userId: string; tokenId: string }>;
  return userId === undefined ? { tokenId: tokenId as string } : { userId };
}

/** Returns a sample that creates a bisection of three builds for the caller and sends its ID. */
export function bisectSample(operation: Operation, more: Record<string, unknown> = {}): Sample {
  return {
    operation,
    input: () => ({ id: randomUUID(), ...more }),
    arrange: async (world, owner = world.admin) => {
      const id = await aBisect(world, owner);
      return (sender = owner) => send(operation, sender, { id, ...more });
    },
  };
}

/** Creates a bisection of three builds that belongs to somebody, whatever their rights. @returns its ID */
async function aBisect({ admin, app, environmentId }: World, owner: Caller): Promise<string> {
  const releases: Answer["body"][] = [];
  for (const build of ["1", "2", "3"]) {
    const version = `1.${newId()}`;
    releases.push(await aRelease(admin, { identifier: app.identifier, environmentId }, { version, build }));
  }
  const answers = [
    { place: 0, answer: "good" },
    { place: 2, answer: "bad" },
  ].map((answer) => {
    const { id, version, buildNumber, deployDate } = releases[answer.place];
    return { ...answer, id, version, buildNumber, deployDate, commit: null };
  });
  const id = newId();
  const now = new Date();
  await db.bisect.create({
    data: {
      id,
      environmentId,
      platformId: releases[0].platform.id,
      ...ownerColumns(owner),
      releaseIds: releases.map((release) => release.id),
      answers,
      remaining: 1,
      stepsLeft: 1,
      createdAt: now,
      updatedAt: now,
    },
  });
  return id;
}
