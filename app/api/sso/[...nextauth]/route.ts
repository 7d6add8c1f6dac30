import { handleSso } from "@/lib/api/sso-route";

export const GET = handleSso;
export const HEAD = handleSso;
export const POST = handleSso;
export const PUT = handleSso;
export const PATCH = handleSso;
export const DELETE = handleSso;
export const OPTIONS = handleSso;
