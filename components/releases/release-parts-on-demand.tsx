"use client";

import { hydratedLater } from "@/components/common/hydrated-later";

// Parts of the page of a release that are read before they are used, and that most testers do not see.
export const InstallCheckAlert = hydratedLater(() =>
  import("./installing/install-check").then((file) => file.InstallCheckAlert),
);
export const InstallCheckCard = hydratedLater(() =>
  import("./installing/install-check").then((file) => file.InstallCheckCard),
);
export const ReleaseChanges = hydratedLater(() => import("./release-changes").then((file) => file.ReleaseChanges));
export const TellTestersButton = hydratedLater(() =>
  import("./tell-testers-button").then((file) => file.TellTestersButton),
);
export const UniversalCard = hydratedLater(() =>
  import("./installing/universal-card").then((file) => file.UniversalCard),
);
