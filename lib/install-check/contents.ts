import "server-only";
import { type PlistValue, parsePlist } from "@slipway/installers/node";
import { z } from "zod";
import type { InstallFinding } from "@/lib/kernel/install-check-codes";
import type { CheckAnswer } from "./connection";

/** The content types that iOS takes for a manifest without doubt. */
const MANIFEST_TYPES = ["application/xml", "text/xml", "application/x-plist", "application/plist", "text/plist"];
/** Above this, people see nothing happen after their tap. */
const SLOW_MS = 3_000;

/** The content type without its parameters, in lower case. */
export function contentTypeOf({ headers }: Pick<CheckAnswer, "headers">): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

export function typeFinding(answer: CheckAnswer): InstallFinding {
  const code = "manifest_type";
  const type = contentTypeOf(answer);
  const seen = `HTTP ${answer.status} ${type}`.trim();
  if (answer.status !== 200) return { code, result: "failure", seen, problem: "refused" };
  if (MANIFEST_TYPES.includes(type)) return { code, result: "ok", seen, problem: null };
  return { code, result: type === "text/html" ? "failure" : "warning", seen, problem: "wrong_type" };
}

/** iOS refuses a manifest with anything before its first "<", such as a byte order mark or an empty line. */
export function firstByteFinding({ body, firstByteMs }: CheckAnswer): InstallFinding {
  const code = "manifest_first_byte";
  const isRight = body[0] === "<".charCodeAt(0);
  const first = body.length === 0 ? "0 B" : `0x${body.subarray(0, 1).toString("hex")}`;
  const seen = `${first}, ${firstByteMs} ms`;
  if (!isRight) return { code, result: "failure", seen, problem: "wrong_first_byte" };
  return firstByteMs > SLOW_MS
    ? { code, result: "warning", seen, problem: "slow" }
    : { code, result: "ok", seen, problem: null };
}

const manifestSchema = z.object({
  items: z.tuple([
    z.object({
      assets: z.array(z.object({ kind: z.string(), url: z.string() })),
      metadata: z.object({
        "bundle-identifier": z.string().min(1),
        "bundle-version": z.string().min(1),
        kind: z.literal("software"),
        title: z.string().min(1),
      }),
    }),
  ]),
});

/** The addresses that a manifest names. */
interface Manifest {
  packageUrl: string;
  displayImageUrl: string | null;
  fullSizeImageUrl: string | null;
}

/** Reads a manifest, and checks that it is that of the release, and that a phone can follow its addresses. */
export function readManifest(
  body: Buffer,
  release: { identifier: string; version: string },
  appUrl: URL,
): { manifest: Manifest | null; findings: InstallFinding[] } {
  const parsed = manifestSchema.safeParse(parsePropertyList(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const seen = issue?.path.join(".") ?? "";
    return {
      manifest: null,
      findings: [{ code: "manifest_keys", result: "failure", seen, problem: "invalid_manifest" }],
    };
  }
  const [{ assets, metadata }] = parsed.data.items;
  const urlOf = (kind: string) => assets.find((asset) => asset.kind === kind)?.url ?? null;
  const packageUrl = urlOf("software-package");
  if (packageUrl === null) {
    const seen = "items.0.assets.software-package";
    return {
      manifest: null,
      findings: [{ code: "manifest_keys", result: "failure", seen, problem: "invalid_manifest" }],
    };
  }
  const seen = `${metadata["bundle-identifier"]} ${metadata["bundle-version"]}`.slice(0, 200);
  const isThis = metadata["bundle-identifier"] === release.identifier && metadata["bundle-version"] === release.version;
  const manifest = {
    packageUrl,
    displayImageUrl: urlOf("display-image"),
    fullSizeImageUrl: urlOf("full-size-image"),
  };
  const urls = assets.map(({ url }) => url);
  const wrong = urls.find(
    (url) => !URL.canParse(url) || new URL(url).protocol !== "https:" || new URL(url).host !== appUrl.host,
  );
  return {
    manifest,
    findings: [
      { code: "manifest_keys", result: isThis ? "ok" : "failure", seen, problem: isThis ? null : "other_app" },
      wrong === undefined
        ? { code: "manifest_urls", result: "ok", seen: appUrl.origin, problem: null }
        : { code: "manifest_urls", result: "failure", seen: originOf(wrong), problem: "wrong_urls" },
    ],
  };
}

/** An address without its path, which may have a token. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url.slice(0, 20);
}

/** A property list as plain values; null if it is none. */
function parsePropertyList(bytes: Buffer): unknown {
  try {
    return toPlain(parsePlist(bytes));
  } catch {
    return null;
  }
}

function toPlain(value: PlistValue): unknown {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [key, toPlain(one)]));
  return Array.isArray(value) ? value.map(toPlain) : value;
}

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** Checks a picture of the manifest. iOS shows an empty icon where it is wrong, and installs. */
export function iconFinding(code: "icon_57" | "icon_512", side: number, answer: CheckAnswer): InstallFinding {
  const { status, body } = answer;
  const type = contentTypeOf(answer);
  if (status !== 200) return { code, result: "warning", seen: `HTTP ${status}`, problem: "icon_refused" };
  if (!body.subarray(0, 8).equals(PNG_SIGNATURE) || type !== "image/png" || body.length < 24) {
    return { code, result: "warning", seen: type, problem: "not_png" };
  }
  // The first chunk of a PNG is IHDR, of Apple's own variant CgBI.
  if (body.toString("latin1", 12, 16) !== "IHDR")
    return { code, result: "warning", seen: "CgBI", problem: "apple_png" };
  const [width, height] = [body.readUInt32BE(16), body.readUInt32BE(20)];
  const isRight = width === side && height === side;
  return {
    code,
    result: isRight ? "ok" : "warning",
    seen: `${width} × ${height}`,
    problem: isRight ? null : "wrong_size",
  };
}
