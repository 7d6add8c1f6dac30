import { randomBytes, randomUUID } from "node:crypto";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, inject, it, onTestFinished } from "vitest";
import { DiskDriver } from "@/lib/storage/disk";
import type { StorageDriver } from "@/lib/storage/driver";
import { S3Driver } from "@/lib/storage/s3";
import { describeWith } from "@/lib/testing/describe-with";
import { setUpTestDatabase } from "@/scripts/test-database";
import { findTestS3, type S3Server } from "@/scripts/versitygw";
import { addFile, backUp, contentOf, newDeployment, newFolder, newKeys, restoreInto } from "./testing/deployment";

setUpTestDatabase();

const s3 = await findTestS3();

describeWith(s3, "with an S3 store", (server: S3Server) => {
  const credentials = { accessKeyId: server.accessKey, secretAccessKey: server.secretKey };
  const { endpoint, region } = server;
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  const buckets = new Map<StorageDriver, string>();
  const onS3 = () => {
    const bucket = `backup-${randomUUID()}`;
    const driver = new S3Driver({ endpoint, region, ...credentials, bucket, forcePathStyle: true });
    buckets.set(driver, bucket);
    return driver;
  };
  const onDisk = () => new DiskDriver({ dataDir: join(inject("runDir"), `store-${randomUUID()}`) });

  async function aDeployment(store: StorageDriver) {
    const { drop, ...deployment } = await newDeployment({ store });
    onTestFinished(drop);
    return deployment;
  }

  it.each([
    ["S3", "S3", onS3, onS3],
    ["S3", "a disk", onS3, onDisk],
    ["a disk", "S3", onDisk, onS3],
  ])("a backup of %s is restored into %s with all bytes and content types", async (_from, _to, from, to) => {
    const [source, target] = [await aDeployment(from()), await aDeployment(to())];
    const [keys, folder] = [await newKeys(), newFolder()];
    // The second one has more than a part of an upload.
    await addFile(source, Buffer.alloc(0), "text/plain");
    const key = await addFile(source, randomBytes(9 * 1024 * 1024), "application/vnd.android.package-archive");
    await backUp(source, folder, keys.recipient);
    const { objects } = await restoreInto(target, folder, keys.identity);
    expect(objects.restored).toBe(2);
    expect(await contentOf(target)).toEqual(await contentOf(source));
    if (!(target.store instanceof S3Driver)) return;
    const { ContentType } = await client.send(new HeadObjectCommand({ Bucket: buckets.get(target.store), Key: key }));
    expect(ContentType).toBe("application/vnd.android.package-archive");
  });

  it("continues an interrupted restore with the files that are missing", async () => {
    const [source, target] = [await aDeployment(onS3()), await aDeployment(onS3())];
    const [keys, folder] = [await newKeys(), newFolder()];
    const bytes = randomBytes(1_000);
    const first = await addFile(source, bytes);
    await addFile(source, randomBytes(2_000));
    await backUp(source, folder, keys.recipient);
    await target.store.put(first, Readable.from([bytes]), { contentType: "application/zip", maxBytes: bytes.length });
    const { objects } = await restoreInto(target, folder, keys.identity);
    expect(objects).toMatchObject({ restored: 1, present: 1 });
    expect(await contentOf(target)).toEqual(await contentOf(source));
  });

  it("refuses a damaged backup and a bucket that is not empty, and writes nothing", async () => {
    const [source, target, used] = [await aDeployment(onS3()), await aDeployment(onS3()), await aDeployment(onS3())];
    const [keys, folder] = [await newKeys(), newFolder()];
    await addFile(source, randomBytes(3_000));
    const { summary } = await backUp(source, folder, keys.recipient);
    await used.store.put("installers/mine", Readable.from([Buffer.from("a")]), { contentType: "a/b", maxBytes: 1 });
    const before = [await contentOf(target), await contentOf(used)];
    await expect(restoreInto(used, folder, keys.identity)).rejects.toMatchObject({ problem: "not_empty" });
    const [object] = await folder.objectsOf(summary);
    await truncate(join(folder.path, object as string), 1_000);
    await expect(restoreInto(target, folder, keys.identity)).rejects.toMatchObject({ problem: "damaged" });
    expect([await contentOf(target), await contentOf(used)]).toEqual(before);
  });
});
