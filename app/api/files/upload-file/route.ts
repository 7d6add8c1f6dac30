import { route } from "@/lib/api/route";
import { uploadFile } from "@/lib/features/files/operations/upload-file";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(uploadFile);
