import { handleSso } from "@/lib/api/sso-route";

export const GET = handleSso;
export const POST = handleSso;
