import "server-only";
import { type Exchange, fixedPaths, type Product, pictureUrl } from "./exchange";
import { type Fields, publishForm } from "./form";

// The upload of TestFairy (fastlane's `testfairy`, curl): https://docs.testfairy.com/API/Upload_API.html

/** The field of the groups, as fastlane, TestFairy's own script and its documentation name it. */
const GROUP_FIELDS = ["testers_groups", "testers-groups", "groups"];

/** The groups of testers, as TestFairy takes them: names with commas between them, or `all`. */
function groupsOf(fields: Fields): readonly string[] | "all" {
  const [text = ""] = GROUP_FIELDS.flatMap((name) => fields.text(name) ?? []);
  const names = text.split(",").map((name) => name.trim());
  return names.length === 1 && names[0]?.toLowerCase() === "all" ? "all" : names.filter(Boolean);
}

async function upload(exchange: Exchange) {
  const { release } = await publishForm(exchange, {
    tokenField: "api_key",
    linkName: "TestFairy",
    fileAliases: ["apk_file", "ipa_file"],
    texts: ["comment", "release_notes"],
    ignoredFiles: ["symbols_file", "proguard_file"],
    toRelease(fields, { environmentId }) {
      const tags = fields.text("tags");
      return {
        place: { environmentId },
        groups: groupsOf(fields),
        notify: fields.text("notify")?.toLowerCase() === "on",
        description: fields.text("comment") ?? fields.text("release_notes"),
        metadata: tags === undefined ? undefined : { tags },
      };
    },
  });
  return {
    status: 200,
    body: {
      status: "ok",
      app_name: release.displayName,
      app_version: release.version,
      file_size: release.size,
      build_url: release.installUrl,
      app_url: release.installUrl,
      landing_page_url: release.installUrl,
      icon_url: pictureUrl(release.iconUrl),
    },
  };
}

/** The paths of TestFairy's upload. fastlane asks for it at the root, because it begins with a slash. */
export const TESTFAIRY_PATHS = ["/api/upload/", "/api/upload"];

export const testfairy: Product = {
  name: "testfairy",
  at: fixedPaths(Object.fromEntries(TESTFAIRY_PATHS.map((path) => [path, { POST: upload }]))),
  failed: ({ status, message }) => ({ status: "fail", code: status, message }),
};
