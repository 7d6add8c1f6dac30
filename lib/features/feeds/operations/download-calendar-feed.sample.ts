import { randomUUID } from "node:crypto";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { createCalendarFeed } from "./create-calendar-feed";
import { downloadCalendarFeed } from "./download-calendar-feed";

export const sample = customSample(downloadCalendarFeed, {
  input: () => ({ token: randomUUID() }),
  arrange: async ({ admin }) => {
    const { url } = (await send(createCalendarFeed, admin, {})).body;
    const token = new URL(url).searchParams.get("token");
    return (sender = ANONYMOUS) => send(downloadCalendarFeed, sender, { token });
  },
});
