/**
 * The steps of an installation, in their order. A person stops at one of the steps up to `complete`; iOS fetches the icons beside the
 * package.
 */
export const INSTALL_STEPS = ["opened", "tapped", "manifest", "begun", "complete", "icons"] as const;
export type InstallStep = (typeof INSTALL_STEPS)[number];

/** The steps of systems that fetch the package by themselves: Android has no manifest. */
export const PACKAGE_STEPS = ["opened", "tapped", "begun", "complete"] as const satisfies readonly InstallStep[];

/** The steps at which a person stops, if they stop. */
export const STOPPING_STEPS = ["opened", "tapped", "manifest", "begun"] as const satisfies readonly InstallStep[];
export type StoppingStep = (typeof STOPPING_STEPS)[number];
