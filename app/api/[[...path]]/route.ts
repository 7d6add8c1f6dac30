import { noRoute } from "@/lib/api/route";

/** Every path below /api that is no operation's. */
export const GET = noRoute;
export const HEAD = noRoute;
export const POST = noRoute;
export const PUT = noRoute;
export const PATCH = noRoute;
export const DELETE = noRoute;
export const OPTIONS = noRoute;
