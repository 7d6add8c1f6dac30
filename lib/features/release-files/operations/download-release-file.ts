import "server-only";
import { defineDownload } from "@/lib/api/operation";
import { storage } from "@/lib/storage";
import { serveStored } from "@/lib/storage/serve";
import { downloadRequirements, releaseFileTarget } from "../data";
import { releaseFileIdInput } from "../schema";

const CONTENT_TYPES = {
  dsym: "application/zip",
  mapping: "application/octet-stream",
  other: "application/octet-stream",
};

/** A further file of a release. Browsers save it and never show it, because somebody else made it. */
export const downloadReleaseFile = defineDownload({
  area: "apps",
  name: "download-release-file",
  summary: "Download an additional file of a release; symbols need the right to publish there",
  access: "release:download",
  forGroups: true,
  input: releaseFileIdInput,
  contentTypes: ["application/zip", "application/octet-stream"],
  errors: [],
  async target({ id }, db) {
    const target = await releaseFileTarget(db, id);
    return target && { ...target, requires: downloadRequirements(target.file.kind) };
  },
  async handler({ target: { file }, request }) {
    const { storageKey, sha256 } = file.file;
    const stored = {
      key: storageKey,
      size: file.size,
      sha256,
      contentType: CONTENT_TYPES[file.kind],
      fileName: file.name,
      lastModified: file.createdAt,
    };
    return serveStored(storage(), stored, request, { redirect: true });
  },
});
