import { randomUUID } from "node:crypto";
import { ANONYMOUS, send } from "@/lib/testing/console";
import { customSample } from "@/lib/testing/sample";
import { createReleaseFeed } from "./create-release-feed";
import { downloadReleaseFeed } from "./download-release-feed";

export const sample = customSample(downloadReleaseFeed, {
  input: () => ({ token: randomUUID() }),
  arrange: async ({ admin }) => {
    const { url } = (await send(createReleaseFeed, admin, {})).body;
    const token = new URL(url).searchParams.get("token");
    return (sender = ANONYMOUS) => send(downloadReleaseFeed, sender, { token });
  },
});
