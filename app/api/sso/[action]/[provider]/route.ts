/** The addresses that identity providers send people back to: lib/api/sso-route.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
