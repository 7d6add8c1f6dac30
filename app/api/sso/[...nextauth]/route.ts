import { handleSso } from "@/lib/auth/sso/route";

export const GET = handleSso;
export const POST = handleSso;
