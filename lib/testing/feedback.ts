import sharp from "sharp";
import { createFeedback } from "@/lib/features/feedback/operations/create-feedback";
import { type Answer, type Caller, send } from "./console";
import { aRelease } from "./releases";
import type { World } from "./world";

/** Returns a PNG as a phone makes one of its screen. */
export function screenshotPng(width = 90, height = 195): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#3355ff" } })
    .png()
    .toBuffer();
}

/** Returns the form of feedback; the picture is its last field. */
export async function feedbackForm(
  fields: Record<string, string>,
  { picture }: { picture?: Uint8Array } = {},
): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ text: "The cart is empty.", rating: "3", ...fields })) {
    form.append(name, value);
  }
  const bytes = Uint8Array.from(picture ?? (await screenshotPng()));
  form.append("screenshot", new Blob([bytes], { type: "image/png" }), "IMG_0001.PNG");
  return form;
}

/** Gives feedback. @returns the body of the response */
export async function someFeedback(
  { admin, app, environmentId }: Pick<World, "admin" | "app" | "environmentId">,
  {
    caller = admin,
    releaseId,
    withPicture = false,
  }: { caller?: Caller; releaseId?: string; withPicture?: boolean } = {},
): Promise<Answer["body"]> {
  const place = { identifier: app.identifier, environmentId };
  const id: string = releaseId ?? (await aRelease(admin, place)).id;
  const input = { releaseId: id, text: "The cart is empty after a restart.", rating: 3 };
  const answer = await send(createFeedback, caller, withPicture ? await feedbackForm({ releaseId: id }) : input);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}
