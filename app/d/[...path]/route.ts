/** The pages of enrolments on a device, which the feature writes itself: lib/features/devices/routes.ts. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "@/lib/route-handlers";
