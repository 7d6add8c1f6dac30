import { setPriority } from "node:os";
import { type FromProcess, type InstallersOptions, tortureInstallers } from "./installers";

/** Other work on the machine goes first. */
const NICE = 5;

setPriority(NICE);
process.once("disconnect", () => process.exit(1));
process.once("message", async (options: InstallersOptions) => {
  const tell = (message: FromProcess) => new Promise((resolve) => process.send?.(message, resolve));
  const report = await tortureInstallers({ ...options, onProgress: (progress) => void tell({ progress }) });
  await tell({ report });
  process.exit(0);
});
