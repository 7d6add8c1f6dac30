import { fork } from "node:child_process";
import { once } from "node:events";

/** A parent for a test to kill. Starts the given program, has it draw the image that it receives, and sends its process ID. */
const [program = ""] = process.argv.slice(2);
const [image] = await once(process, "message");
const child = fork(program, { serialization: "advanced" });
await once(child, "message");
child.send({ image: Buffer.from(image) }, () => process.send?.(child.pid));
