import "server-only";
import { defineCommand } from "@/lib/api/operation";
import type { Changes } from "@/lib/audit/write";
import type { Db } from "@/lib/db/client";
import { ApiError } from "@/lib/kernel/errors";
import {
  answerOf,
  type BisectRow,
  bisectTarget,
  findBisectRelease,
  lastAnswer,
  lockBisect,
  readProgress,
  type StoredAnswer,
  storeAnswers,
  toBisect,
} from "../data";
import type { BisectAnswer } from "../rules";
import { answerBisectInput, bisectSchema } from "../schema";

/** The answer about a build. @throws ApiError conflict if the build has one, or none is left to be tried */
async function givenAnswer(
  tx: Db,
  bisect: BisectRow,
  { answer, releaseId }: { answer: BisectAnswer; releaseId: string | undefined },
): Promise<StoredAnswer> {
  const { good, bad, next, skipped } = await readProgress(tx, bisect);
  if (next === null) throw new ApiError("conflict", { detailKey: "detailBisectDone" });
  const place = releaseId === undefined ? next : bisect.releaseIds.indexOf(releaseId);
  const isLeft = place > good && place < bad && !skipped.includes(place);
  const release = isLeft ? await findBisectRelease(tx, bisect, place) : null;
  if (!release) throw new ApiError("conflict", { detailKey: "detailBisectAnswered" });
  return answerOf(release, { place, answer });
}

/** The answer that is taken back. @throws ApiError conflict if there is none, or the last one is about another release */
function undoneAnswer(bisect: BisectRow, releaseId: string | undefined): StoredAnswer {
  const last = lastAnswer(bisect);
  if (!last || (releaseId !== undefined && last.id !== releaseId)) {
    throw new ApiError("conflict", { detailKey: "detailBisectUndone" });
  }
  return last;
}

/**
 * Records whether a build has the fault, and chooses the next one to try; or takes the last answer back, also after the end. Of two
 * answers at once, the second is refused.
 */
export const answerBisect = defineCommand({
  area: "apps",
  name: "answer-bisect",
  summary: "Say whether a build has the bug, and get the next one to test",
  access: { own: "bisect", anyTarget: "release:read" },
  input: answerBisectInput,
  output: bisectSchema,
  status: 200,
  errors: ["conflict"],
  audit: { table: "Bisect", action: "answer" },
  target: (input, db) => bisectTarget(db, input.id),
  async handler({ input: { answer, releaseId }, target, tx, request: { now } }) {
    const bisect = await lockBisect(tx, target.bisect);
    if (answer === "undo") {
      const undone = undoneAnswer(bisect, releaseId);
      const left = await storeAnswers(tx, bisect, bisect.answers.slice(0, -1), now);
      const changes: Changes = { releaseId: [undone.id, null], answer: [undone.answer, null] };
      return { output: await toBisect(tx, left), audit: { recordId: bisect.id, changes } };
    }
    const given = await givenAnswer(tx, bisect, { answer, releaseId });
    const answered = await storeAnswers(tx, bisect, [...bisect.answers, given], now);
    const changes: Changes = { releaseId: [null, given.id], answer: [null, answer] };
    return { output: await toBisect(tx, answered), audit: { recordId: bisect.id, changes } };
  },
});
