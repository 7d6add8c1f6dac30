import { route } from "@/lib/api/route";
import { createUpload } from "@/lib/features/uploads/operations/create-upload";

export const POST = route(createUpload);
