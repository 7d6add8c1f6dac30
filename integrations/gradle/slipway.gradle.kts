// Adds the task publishToSlipway. Apply it with apply(from = "slipway.gradle.kts"). Each input is a property of Gradle,
// slipway.<input>, or an environment variable, SLIPWAY_<INPUT>. The token is an environment variable only, so neither the
// command line nor a file has it. The outputs are in build/slipway.env.
import java.io.IOException

abstract class PublishToSlipway : DefaultTask() {
    /** The inputs that are properties, by their environment variables. */
    @get:Internal
    abstract val variables: MapProperty<String, String>

    @get:Internal
    abstract val folder: DirectoryProperty

    @get:Internal
    abstract val outputFile: RegularFileProperty

    @TaskAction
    fun publish() {
        val outputs = outputFile.get().asFile
        outputs.parentFile.mkdirs()
        outputs.delete()
        val builder = ProcessBuilder("node", "--input-type=module", "-").redirectErrorStream(true)
        builder.directory(folder.get().asFile)
        builder.environment().putAll(variables.get())
        builder.environment()["SLIPWAY_OUTPUT_FILE"] = outputs.path
        val process =
            try {
                builder.start()
            } catch (error: IOException) {
                throw GradleException("Node.js cannot be started. Install version 20.12 or later.", error)
            }
        process.outputStream.use { it.write(PROGRAM.toByteArray()) }
        process.inputStream.bufferedReader().forEachLine { logger.lifecycle(it) }
        if (process.waitFor() != 0) throw GradleException("slipway ended with exit code ${process.exitValue()}.")
    }

    companion object {
        /** The inputs by their names. */
        val INPUTS =
            mapOf(
                // <inputs>
                "console" to "The address of the console, such as https://slipway.example.com",
                "file" to "The installer: an .ipa, .apk or .aab file",
                "app" to "The application: its identifier, name or ID",
                "environment" to "The environment: its name or ID",
                "notes" to "The release notes, in Markdown; by default name and version",
                "notes-file" to "A file with the release notes",
                "notes-from-git" to "Whether the subjects of the commits since the last tag are the release notes: true or false",
                "branch" to "The branch; by default that of the CI system or of the git repository",
                "commit" to "The commit; by default that of the CI system or of the git repository",
                "build-url" to "The address of the build; by default that of the CI system",
                "metadata" to "Further entries of the release’s metadata, one key=value in a line",
                "config-version" to "The configuration version that the build was made with; by default the current one",
                "mandatory" to "Whether apps that ask for updates must install it to go on: true or false",
                "group" to "A group of testers that is told of the release: its name or ID; a token needs the scope release:update; can be repeated",
                "no-notify" to "Give the groups access without telling them",
                "override-rules" to "Publish a build that breaks rules of the environment; needs the right to change it",
                "dsym" to "Symbols of the .ipa: a .dSYM folder, a folder of them or a .zip; can be repeated",
                "mapping" to "Symbols of the .apk or .aab: the mapping.txt of R8 or ProGuard",
                "timeout" to "How long the upload may take, as 90s, 30m or 2h; by default 1h",
                "tool-sha256" to "The SHA-256 of the command-line tool; by default the one that the console states",
                // </inputs>
            )

        /** Downloads the command-line tool from the console, checks it, and publishes with it. */
        val PROGRAM =
            """
            // <publish>
            // Publishes a build with the command-line tool that the console serves, after a check of the tool's SHA-256. The inputs are
            // environment variables: SLIPWAY_<INPUT>, or INPUT_<INPUT> in an action of GitHub.
            import { spawn } from "node:child_process";
            import { createHash } from "node:crypto";
            import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
            import * as http from "node:http";
            import { tmpdir } from "node:os";
            import { join } from "node:path";

            const USAGE = 2;
            const UNREACHABLE = 3;
            const PROXY_HINT =
              " The proxy is not used: use Node.js 24.14 or later, or from Node.js 24 on set NODE_USE_ENV_PROXY to 1.";

            const environment = { ...process.env };
            for (const [name, value] of Object.entries(process.env)) {
              const isInput = process.env.GITHUB_ACTIONS === "true" && name.startsWith("INPUT_");
              if (isInput && value) environment["SLIPWAY_".concat(name.slice("INPUT_".length).replaceAll("-", "_"))] = value;
            }

            /** @returns {never} */
            function fail(exitCode, ...words) {
              process.stderr.write(words.join("").concat("\n"));
              process.exit(exitCode);
            }

            async function get(path) {
              const url = new URL(path, origin);
              try {
                const response = await fetch(url, { redirect: "manual" });
                if (response.ok) return Buffer.from(await response.arrayBuffer());
                await response.body?.cancel();
                return fail(UNREACHABLE, url.href, " is answered with status ", response.status, ". Check the console's address.");
              } catch (error) {
                const { code, message } = error.cause ?? error;
                return fail(UNREACHABLE, origin, " cannot be reached: ", code ?? message, ".", isProxyIgnored ? PROXY_HINT : "");
              }
            }

            if (Number(process.versions.node.split(".")[0]) < 20) {
              fail(USAGE, "Node.js 20.12 or later is needed. This is Node.js ", process.versions.node, ".");
            }
            const address = environment.SLIPWAY_CONSOLE ?? "";
            if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
              fail(USAGE, "The input console is not a URL such as https://slipway.example.com.");
            }
            const { origin } = new URL(address);
            // Before Node 24.14, fetch uses proxies only if NODE_USE_ENV_PROXY is set when the process starts.
            const hasProxy = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => process.env[name]);
            const isProxyIgnored = hasProxy && !http.setGlobalProxyFromEnv && process.env.NODE_USE_ENV_PROXY !== "1";
            http.setGlobalProxyFromEnv?.();

            const tool = await get("/cli/slipway.mjs");
            const expected = environment.SLIPWAY_TOOL_SHA256 || String(await get("/cli/slipway.mjs.sha256")).slice(0, 64);
            const sha256 = createHash("sha256").update(tool).digest("hex");
            if (sha256 !== expected.toLowerCase()) {
              fail(UNREACHABLE, "The SHA-256 of the tool that ", origin, " serves is ", sha256, " instead of ", expected, ".");
            }

            const folder = mkdtempSync(join(tmpdir(), "slipway-"));
            process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
            const file = join(folder, "slipway.mjs");
            writeFileSync(file, tool);
            const child = spawn(process.execPath, [file, "upload"], { env: environment, stdio: ["ignore", "inherit", "inherit"] });
            for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
            child.on("close", (code) => process.exit(code ?? 1));
            // </publish>
            """.trimIndent()
    }
}

tasks.register<PublishToSlipway>("publishToSlipway") {
    group = "publishing"
    description = "Publishes an .ipa, .apk or .aab file to a Slipway console"
    for (name in PublishToSlipway.INPUTS.keys) {
        val variable = "SLIPWAY_" + name.replace('-', '_').uppercase()
        val value = providers.gradleProperty("slipway.$name").orNull ?: continue
        variables.put(variable, value)
    }
    folder.set(layout.projectDirectory)
    outputFile.set(layout.buildDirectory.file("slipway.env"))
}
