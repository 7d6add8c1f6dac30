import "server-only";
import { defineCommand } from "@/lib/api/operation";
import { ApiError } from "@/lib/kernel/errors";
import { addAnswer, answerOf, bisectTarget, findBisectRelease, lockBisect, readProgress, toBisect } from "../data";
import { answerBisectInput, bisectSchema } from "../schema";

/** Records whether a build has the fault, and chooses the next one to try. Of two answers at once, the second is refused. */
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
    const { good, bad, next, skipped } = await readProgress(tx, bisect);
    if (next === null) throw new ApiError("conflict", { detailKey: "detailBisectDone" });
    const place = releaseId === undefined ? next : bisect.releaseIds.indexOf(releaseId);
    const isLeft = place > good && place < bad && !skipped.includes(place);
    const release = isLeft ? await findBisectRelease(tx, bisect, place) : null;
    if (!release) throw new ApiError("conflict", { detailKey: "detailBisectAnswered" });
    const answered = await addAnswer(tx, bisect, answerOf(release, { place, answer }), now);
    return {
      output: await toBisect(tx, answered),
      audit: { recordId: bisect.id, changes: { releaseId: [null, release.id], answer: [null, answer] } },
    };
  },
});
