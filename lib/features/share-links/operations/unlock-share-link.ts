import "server-only";
import { z } from "zod";
import { defineBodyQuery } from "@/lib/api/operation";
import { unlock } from "../internal/unlocking";
import { linkOfCode, requireOpen } from "../internal/visit";
import { unlockShareLinkInput } from "../schema";

/** Checks the password of a share link. The answer has a cookie that opens this link alone. */
export const unlockShareLink = defineBodyQuery({
  area: "share-links",
  name: "unlock-share-link",
  summary: "Open a share link that has a password",
  access: "public",
  input: unlockShareLinkInput,
  output: z.object({ unlocked: z.literal(true) }),
  errors: ["not_found", "link_ended", "password_required", "rate_limited"],
  async handler({ input: { code, password }, request, setCookie }) {
    const found = await linkOfCode(code);
    requireOpen(found, request.now);
    const cookie = await unlock(found.link, password, request);
    if (cookie !== null) setCookie(cookie);
    return { unlocked: true as const };
  },
});
