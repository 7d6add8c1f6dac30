import { route } from "@/lib/api/route";
import { uploadFile } from "@/lib/features/files/operations/upload-file";

export const POST = route(uploadFile);
