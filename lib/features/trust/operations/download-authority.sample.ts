import { env } from "@/lib/kernel/env";
import { ensureLanCertificates, lanFolder } from "@/lib/keys/lan-certificates";
import { simpleSample } from "@/lib/testing/sample";
import { downloadAuthority } from "./download-authority";

export const sample = simpleSample(downloadAuthority, async () => {
  await ensureLanCertificates(lanFolder(), env.LAN_HOSTS, new Date());
  return {};
});
