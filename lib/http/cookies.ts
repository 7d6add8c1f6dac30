import "server-only";
import { env } from "@/lib/kernel/env";

const isSecure = () => env.APP_URL.startsWith("https://");

/** The name of a cookie. On HTTPS, its prefix binds the cookie to host, path and TLS. */
export function cookieName(name: string): string {
  return isSecure() ? `__Host-${name}` : name;
}

interface Attributes {
  /** By default, `Lax`. */
  sameSite?: "Lax" | "Strict";
  /** `Expires=…` or `Max-Age=…` */
  lifetime: string;
}

/** A Set-Cookie value of a preference, which the scripts of the console read and write too. */
export function preferenceCookie(name: string, value: string, { lifetime }: Pick<Attributes, "lifetime">): string {
  return `${name}=${value}; Path=/; SameSite=Lax${isSecure() ? "; Secure" : ""}; ${lifetime}`;
}

/** A Set-Cookie value of a cookie that neither scripts nor other hosts can read. @param name without the prefix */
export function hostCookie(name: string, value: string, { sameSite = "Lax", lifetime }: Attributes): string {
  const secure = isSecure() ? "; Secure" : "";
  return `${cookieName(name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}${secure}; ${lifetime}`;
}
