/**
 * Stands in for `render-process.mjs` in tests. The image is the name of an action, and the answer is text.
 *
 * @type {Record<string, () => string | undefined>}
 */
const ACTIONS = {
  pid: () => String(process.pid),
  // biome-ignore lint/style/noProcessEnv: what it was given is what is tested
  environment: () => JSON.stringify(process.env),
  hang: () => undefined,
  crash: () => process.exit(3),
};

process.once("disconnect", () => process.exit());
process.on("message", (/** @type {import("../render-process.mjs").Drawing} */ { image }) => {
  const answer = ACTIONS[Buffer.from(image).toString()]?.();
  if (answer !== undefined) process.send?.({ drawn: Buffer.from(answer) });
});
process.send?.("ready");
