import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { someFeedback } from "@/lib/testing/feedback";
import { customSample } from "@/lib/testing/sample";
import { updateFeedback } from "./update-feedback";

export const sample = customSample(updateFeedback, {
  input: () => ({ id: randomUUID(), state: "done" as const }),
  arrange: async (world, owner = world.admin) => {
    const { id } = await someFeedback(world);
    return (sender = owner) => send(updateFeedback, sender, { id, state: "done", note: "Fixed in 2.4.1" });
  },
});
