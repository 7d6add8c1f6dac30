import { askForSecret } from "./ask";
import type { Console } from "./console";
import { type Context, isInteractive } from "./context";
import { Failure } from "./failure";

/**
 * Calls what reveals secrets or gives access that outlives the session. Where the console asks a person for a recent second
 * factor, asks for a code of the authenticator app and calls once more.
 */
export async function withSecondFactor<T>(context: Context, console: Console, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const asks = error instanceof Failure && error.problem?.code === "two_factor_required";
    if (!asks || !isInteractive(context)) throw error;
  }
  const code = await askForSecret(context, "Code of your authenticator app");
  await console.command("auth/confirm-second-factor", { code: code.trim() });
  return call();
}
