import { randomUUID } from "node:crypto";
import { send } from "@/lib/testing/console";
import { someFeedback } from "@/lib/testing/feedback";
import { customSample } from "@/lib/testing/sample";
import { deleteFeedback } from "./delete-feedback";

export const sample = customSample(deleteFeedback, {
  input: () => ({ id: randomUUID() }),
  arrange: async (world, owner = world.admin) => {
    const { id } = await someFeedback(world);
    return (sender = owner) => send(deleteFeedback, sender, { id });
  },
});
