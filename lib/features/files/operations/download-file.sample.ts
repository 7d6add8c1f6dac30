import { aPicture } from "@/lib/testing/pictures";
import { simpleSample } from "@/lib/testing/sample";
import { downloadFile } from "./download-file";

export const sample = simpleSample(downloadFile, async (world) => ({ id: await aPicture(world.admin) }));
