import { startTestS3 } from "../../scripts/versitygw.ts";
import { startBench } from "../bench.ts";
import { notMeasured, type Row } from "../report.ts";

/** Measures how many bytes of a download from an S3 store pass through the server. */
export async function s3Rows(): Promise<Row[]> {
  const store = await startTestS3().catch((error: unknown) => error as Error);
  if (store instanceof Error) return [notMeasured("download from S3", store.message)];
  try {
    const bench = await startBench({
      STORAGE: "s3",
      S3_ENDPOINT: store.endpoint,
      S3_PUBLIC_ENDPOINT: store.endpoint,
      S3_REGION: store.region,
      S3_BUCKET: "bench",
      S3_ACCESS_KEY_ID: store.accessKey,
      S3_SECRET_ACCESS_KEY: store.secretKey,
      S3_FORCE_PATH_STYLE: "1",
    });
    try {
      const url = `${bench.baseUrl}/api/apps/download-testing-deploy-file?id=${bench.releaseId}`;
      const answer = await fetch(url, { headers: { cookie: bench.cookie }, redirect: "manual" });
      const bytes = (await answer.arrayBuffer()).byteLength;
      const location = answer.headers.get("location");
      const fromStore = location?.startsWith(store.endpoint) ? await fetch(location) : null;
      const received = fromStore?.ok ? (await fromStore.arrayBuffer()).byteLength : 0;
      return [
        {
          what: "download from S3, through the server",
          measured: `${answer.status}, ${bytes} bytes of the body`,
          reference: `${received} bytes from the store itself`,
          ratio: null,
          goal: "no byte",
          met: answer.status === 302 && bytes === 0 && received > 0,
        },
      ];
    } finally {
      await bench.stop();
    }
  } finally {
    await store.stop();
  }
}
