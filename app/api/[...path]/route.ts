import { noRoute } from "@/lib/api/route";

/** Every path below /api that is no operation's. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = noRoute;
