import { create } from "qrcode";
import sharp from "sharp";
import { beforeAll, expect, it } from "vitest";
import { anApp, aToken, aUser, sendRaw, type TestUser } from "@/lib/testing/console";
import { anIpa, publish } from "@/lib/testing/releases";
import { setUpTestDatabase } from "@/scripts/test-database";
import { downloadTestingDeployQrCode } from "./download-testing-deploy-qr-code";

setUpTestDatabase();

let admin: TestUser;
let app: Awaited<ReturnType<typeof anApp>>;
let release: { id: string; installUrl: string; qrUrl: string };

beforeAll(async () => {
  admin = await aUser({ admin: true });
  app = await anApp();
  const environmentId = app.environmentIds[0] as string;
  release = (await publish(admin, anIpa(app.identifier), "Acme.ipa", { environmentId })).body;
});

/** The modules of the code that an image shows, row by row, without the quiet zone. */
async function modulesOf(image: ArrayBuffer, size: number): Promise<number[]> {
  const side = size + 8;
  const { data } = await sharp(Buffer.from(image))
    .resize(side, side, { kernel: "nearest" })
    .extract({ left: 4, top: 4, width: size, height: size })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data].map((value) => (value < 128 ? 1 : 0));
}

it("answers the code of the install link, and a release names its address", async () => {
  expect(release.qrUrl).toBe(`http://localhost:3000/api/apps/download-testing-deploy-qr-code?id=${release.id}`);
  const response = await sendRaw(downloadTestingDeployQrCode, admin, { id: release.id });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("image/png");
  const { modules } = create(release.installUrl, { errorCorrectionLevel: "M" });
  expect(await modulesOf(await response.arrayBuffer(), modules.size)).toEqual([...modules.data]);
});

it("may be kept by the caller's own cache alone", async () => {
  const { headers } = await sendRaw(downloadTestingDeployQrCode, admin, { id: release.id });
  expect(headers.get("cache-control")).toBe("private, max-age=86400");
});

it("is there for those who may see the release, such as a token that reads releases", async () => {
  const environmentId = app.environmentIds[0] as string;
  const reader = await aToken({ appId: app.appId, environmentId, scopes: ["release:read"] });
  const other = await aUser({ grants: [] });
  expect((await sendRaw(downloadTestingDeployQrCode, reader, { id: release.id })).status).toBe(200);
  expect((await sendRaw(downloadTestingDeployQrCode, other, { id: release.id })).status).toBe(404);
});
