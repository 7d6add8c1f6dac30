/** Called by Next once at the start of a server, before the first request is answered. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next replaces this very expression at build time to keep server code apart
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { registerServer } = await import("@/lib/server/register");
    await registerServer();
  }
}
