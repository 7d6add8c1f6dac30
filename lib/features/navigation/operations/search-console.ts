import "server-only";
import { defineQuery } from "@/lib/api/operation";
import { fileUrl } from "@/lib/kernel/navigation/file-url";
import { searchWords } from "@/lib/kernel/search-words";
import { scopesFor } from "@/lib/permissions/authorize";
import { sightOf } from "@/lib/permissions/visibility";
import { type FoundRelease, searchNames, searchReleases, searchVariables } from "../data";
import { searchConsoleInput, searchConsoleOutput } from "../schema";

const toFound = ({ iconFileId, ...release }: FoundRelease) => ({
  ...release,
  iconUrl: iconFileId && fileUrl(iconFileId),
});

/**
 * What the words of a search name, a few of each kind: applications, environments, releases, the keys of variables and, for
 * administrators, users and roles. Words are compared without case and accents; each is part of the result's texts.
 */
export const searchConsole = defineQuery({
  area: "apps",
  name: "search-console",
  summary: "Search applications, environments, variables, releases, users and roles",
  access: "user",
  input: searchConsoleInput,
  output: searchConsoleOutput,
  errors: [],
  async handler({ actor, input, db }) {
    const releaseSight = sightOf(actor, "release:read");
    const words = searchWords(input.search);
    const placeWords = searchWords(input.place ?? input.search);
    const sights = {
      "dev-variable": sightOf(actor, "dev-variable:read"),
      // As for their list: people need a second factor.
      ...(actor.secondFactor && { "secure-variable": sightOf(actor, "secure-variable:read") }),
    };
    const [names, releases, variables] = await Promise.all([
      searchNames(db, sightOf(actor), releaseSight, { words, placeWords, people: actor.isAdmin }),
      searchReleases(db, releaseSight, words),
      searchVariables(db, sights, words),
    ]);
    return {
      apps: names.apps.map(({ iconFileId, ...app }) => ({ ...app, iconUrl: iconFileId && fileUrl(iconFileId) })),
      environments: names.environments.map((environment) => ({
        ...environment,
        scopes: scopesFor(actor, { appId: environment.app.id, environmentId: environment.id }),
      })),
      latest: names.latest.map(toFound),
      releases: releases.map(toFound),
      variables,
      users: names.users.map(({ avatarFileId, ...user }) => ({
        ...user,
        avatarUrl: avatarFileId && fileUrl(avatarFileId),
      })),
      roles: names.roles,
    };
  },
});
