import { route } from "@/lib/api/route";
import { downloadFile } from "@/lib/features/files/operations/download-file";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = route(downloadFile);
