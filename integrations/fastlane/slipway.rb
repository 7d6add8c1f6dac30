# Publishes an installer to a Slipway console. Copy this file to fastlane/actions/slipway.rb.
require "open3"
require "tempfile"

module Fastlane
  module Actions
    module SharedValues
      # <shared-values>
      SLIPWAY_RELEASE_ID = :SLIPWAY_RELEASE_ID
      SLIPWAY_INSTALL_URL = :SLIPWAY_INSTALL_URL
      SLIPWAY_QR_URL = :SLIPWAY_QR_URL
      SLIPWAY_VERSION = :SLIPWAY_VERSION
      SLIPWAY_BUILD_NUMBER = :SLIPWAY_BUILD_NUMBER
      # </shared-values>
    end

    class SlipwayAction < Action
      # Downloads the command-line tool from the console, checks it, and publishes with it.
      PUBLISH = <<~'SLIPWAY'.freeze
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
      SLIPWAY

      def self.run(params)
        outputs = Tempfile.new("slipway")
        outputs.close
        publish(variables_of(params).merge("SLIPWAY_OUTPUT_FILE" => outputs.path))
        File.foreach(outputs.path, chomp: true).to_h { |line| line.split("=", 2) }.each do |name, value|
          lane_context[SharedValues.const_get(name)] = value
        end
        lane_context[SharedValues::SLIPWAY_INSTALL_URL]
      ensure
        outputs&.unlink
      end

      # The inputs as the tool reads them. The token is in the environment alone, so neither the process list nor the log has it.
      def self.variables_of(params)
        available_options.to_h do |option|
          value = params[option.key]
          value = value.map { |key, entry| "#{key}=#{entry}" }.join("\n") if value.kind_of?(Hash)
          ["SLIPWAY_#{option.key.upcase}", value.nil? ? nil : value.to_s]
        end
      end

      def self.publish(variables)
        Open3.popen2e(variables, "node", "--input-type=module", "-") do |input, output, process|
          input.write(PUBLISH)
          input.close
          output.each_line { |line| UI.message(line.chomp) }
          UI.user_error!("slipway ended with exit code #{process.value.exitstatus}.") unless process.value.success?
        end
      rescue Errno::ENOENT
        UI.user_error!("Node.js is not installed.")
      end
      private_class_method :publish

      def self.description
        "Publishes an .ipa, .apk or .aab file to a Slipway console"
      end

      def self.authors
        ["Slipway"]
      end

      def self.is_supported?(platform)
        [:ios, :android].include?(platform)
      end

      def self.return_value
        "The page from which testers install the release"
      end

      def self.available_options
        [
          # <options>
          FastlaneCore::ConfigItem.new(
            key: :console,
            env_name: "SLIPWAY_CONSOLE",
            description: "The address of the console, such as https://slipway.example.com",
            skip_type_validation: true,
            optional: false
          ),
          FastlaneCore::ConfigItem.new(
            key: :token,
            env_name: "SLIPWAY_TOKEN",
            description: "An API token of the environment",
            sensitive: true,
            skip_type_validation: true,
            optional: false
          ),
          FastlaneCore::ConfigItem.new(
            key: :file,
            env_name: "SLIPWAY_FILE",
            description: "The installer: an .ipa, .apk or .aab file",
            default_value: [:IPA_OUTPUT_PATH, :GRADLE_APK_OUTPUT_PATH, :GRADLE_AAB_OUTPUT_PATH].filter_map { |name| Actions.lane_context[name] }.first,
            default_value_dynamic: true,
            skip_type_validation: true,
            optional: false
          ),
          FastlaneCore::ConfigItem.new(
            key: :app,
            env_name: "SLIPWAY_APP",
            description: "The application: its identifier, name or ID",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :environment,
            env_name: "SLIPWAY_ENVIRONMENT",
            description: "The environment: its name or ID",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :notes,
            env_name: "SLIPWAY_NOTES",
            description: "The release notes, in Markdown; by default name and version",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :notes_file,
            env_name: "SLIPWAY_NOTES_FILE",
            description: "A file with the release notes",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :notes_from_git,
            env_name: "SLIPWAY_NOTES_FROM_GIT",
            description: "Whether the subjects of the commits since the last tag are the release notes: true or false",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :branch,
            env_name: "SLIPWAY_BRANCH",
            description: "The branch; by default that of the CI system or of the git repository",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :commit,
            env_name: "SLIPWAY_COMMIT",
            description: "The commit; by default that of the CI system or of the git repository",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :build_url,
            env_name: "SLIPWAY_BUILD_URL",
            description: "The address of the build; by default that of the CI system",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :metadata,
            env_name: "SLIPWAY_METADATA",
            description: "Further entries of the release’s metadata, one key=value in a line",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :config_version,
            env_name: "SLIPWAY_CONFIG_VERSION",
            description: "The configuration version that the build was made with; by default the current one",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :mandatory,
            env_name: "SLIPWAY_MANDATORY",
            description: "Whether apps that ask for updates must install it to go on: true or false",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :group,
            env_name: "SLIPWAY_GROUP",
            description: "A group of testers that is told of the release: its name or ID; a token needs the scope release:update; can be repeated",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :no_notify,
            env_name: "SLIPWAY_NO_NOTIFY",
            description: "Give the groups access without telling them",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :override_rules,
            env_name: "SLIPWAY_OVERRIDE_RULES",
            description: "Publish a build that breaks rules of the environment; needs the right to change it",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :dsym,
            env_name: "SLIPWAY_DSYM",
            description: "Symbols of the .ipa: a .dSYM folder, a folder of them or a .zip; can be repeated",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :mapping,
            env_name: "SLIPWAY_MAPPING",
            description: "Symbols of the .apk or .aab: the mapping.txt of R8 or ProGuard",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :timeout,
            env_name: "SLIPWAY_TIMEOUT",
            description: "How long the upload may take, as 90s, 30m or 2h; by default 1h",
            skip_type_validation: true,
            optional: true
          ),
          FastlaneCore::ConfigItem.new(
            key: :tool_sha256,
            env_name: "SLIPWAY_TOOL_SHA256",
            description: "The SHA-256 of the command-line tool; by default the one that the console states",
            skip_type_validation: true,
            optional: true
          ),
          # </options>
        ]
      end

      def self.output
        [
          # <outputs>
          ["SLIPWAY_RELEASE_ID", "The ID of the release"],
          ["SLIPWAY_INSTALL_URL", "The page from which testers install the release"],
          ["SLIPWAY_QR_URL", "The QR code of that page, an image for those who may see the release"],
          ["SLIPWAY_VERSION", "The version of the app"],
          ["SLIPWAY_BUILD_NUMBER", "The build number of the app"],
          # </outputs>
        ]
      end

      def self.example_code
        ['slipway(environment: "Testing")']
      end

      def self.category
        :beta
      end
    end
  end
end
