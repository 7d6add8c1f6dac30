import { spawn } from "node:child_process";
import type { Context } from "./context";

/** The program that opens a URL, with its arguments; null if there is none. */
function browserCommand({ environment, platform }: Pick<Context, "environment" | "platform">): string[] | null {
  if (environment.BROWSER === "none") return null;
  if (environment.BROWSER) return [environment.BROWSER];
  if (platform === "darwin") return ["open"];
  // Unlike `start`, it does not read `&` as the end of the command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open"] : null;
}

/** Whether this machine can open a browser. */
export function hasBrowser(context: Pick<Context, "environment" | "platform">): boolean {
  return browserCommand(context) !== null;
}

/** Opens a URL in the browser, and ignores errors of the browser. @returns false if there is no browser */
export function openBrowser(context: Context, url: string): boolean {
  const [program, ...args] = browserCommand(context) ?? [];
  if (program === undefined) return false;
  const child = spawn(program, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
  return true;
}
