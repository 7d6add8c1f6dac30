import { expect, it } from "vitest";
import { db } from "@/lib/db/client";
import { aUser } from "@/lib/testing/console";
import { setUpTestDatabase } from "@/scripts/test-database";
import { invitationLinkToPassOn } from "./password-links";

process.env.SMTP_URL = "smtp://mail.example.test";
setUpTestDatabase();

it("gives no invitation link to administrators if a mail server sends it", async () => {
  const { userId } = await aUser();
  expect(await invitationLinkToPassOn(db, userId, new Date())).toBeNull();
});
