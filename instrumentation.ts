/** Called by Next once when a server starts, before the first request. */
export async function register(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: Next replaces this expression at build time to exclude server code
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { registerServer } = await import("@/lib/server/register");
    const { routes } = await import("@/lib/routes");
    await registerServer(routes);
  }
}
