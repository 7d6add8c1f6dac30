/** Every other path of the API: clients of other products that ignore the path of their address (lib/compat), else a problem. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
