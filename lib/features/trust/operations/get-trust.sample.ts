import { env } from "@/lib/kernel/env";
import { ensureLanCertificates, lanFolder } from "@/lib/keys/lan-certificates";
import { simpleSample } from "@/lib/testing/sample";
import { getTrust } from "./get-trust";

export const sample = simpleSample(getTrust, async () => {
  await ensureLanCertificates(lanFolder(), env.LAN_HOSTS, new Date());
  return {};
});
