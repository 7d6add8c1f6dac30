import { fork } from "node:child_process";
import { once } from "node:events";

/** What a test kills: starts the program that it is given, has it draw the image that it is sent, and says its id. */
const [program = ""] = process.argv.slice(2);
const [image] = await once(process, "message");
const child = fork(program, { serialization: "advanced" });
await once(child, "message");
child.send({ image: Buffer.from(image) }, () => process.send?.(child.pid));
