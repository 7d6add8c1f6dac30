/** What the clients of other products call: lib/compat. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
