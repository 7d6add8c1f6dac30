"use client";

import type { Installer } from "@slipway/installers";
import { useFormatter, useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { NOT_SUBMITTED, type SubmitResult } from "@/components/common/form/submit";
import { useZodForm } from "@/components/common/form/use-zod-form";
import { unfinishedUploads } from "@/components/common/upload/unfinished-uploads";
import { ApiCallError, query } from "@/lib/client/client";
import { useProblemTexts } from "@/lib/client/use-operation";
import type { Platform } from "@/lib/features/platforms/schema";
import type { PublishingPlaces } from "@/lib/features/releases/schema";
import { proposedPlace } from "./proposed-place";
import { isRunning, Publication, type PublicationState } from "./publication";
import { addPublication, removePublication } from "./publications";
import { storedDraft } from "./release-draft";
import { NEW, releaseValuesSchema } from "./release-values";
import { useFailureTexts } from "./use-failure-texts";
import { type InstallerReading, useInstallerReading } from "./use-installer-reading";
import { usePublication } from "./use-publication";

/** The environment that a release is published to, and what it accepts. */
export type ReleasePlace = {
  environment: { id: string; name: string };
  /** The bundle IDs and package names that the environment accepts, the app's own first. */
  identifiers: readonly string[];
  /** The active platforms. */
  platforms: readonly Pick<Platform, "id" | "name" | "kind">[];
};

export type PublishingOptions = {
  /** The environment; null if the application and the environment are found by the installer. */
  place: ReleasePlace | null;
  /** A file that was dropped on the page. */
  firstFile: File | null;
  /** A publication that was begun in another dialog. */
  publication?: Publication;
  /** Whether the form is shown. */
  open: boolean;
};

export type Publishing = ReturnType<typeof usePublishing>;

/** The places of a publication that its form offers; kept with it while no form shows it. */
const offers = new WeakMap<Publication, { place: ReleasePlace | null; places: PublishingPlaces | null }>();

/** The platforms that accept an installer. */
export function fittingPlatforms(platforms: ReleasePlace["platforms"], kind: Installer["kind"]) {
  const own = kind === "ipa" ? "ios" : "android";
  return platforms.filter((platform) => platform.kind === own || platform.kind === "other");
}

/** The form of a release that is published; begins with the draft of the environment. */
function useReleaseForm(place: ReleasePlace | null, publication: Publication | null) {
  const [draft] = useState(() => storedDraft(place?.environment.id ?? NEW));
  return useZodForm(releaseValuesSchema, {
    defaultValues: publication?.values ?? {
      appId: "",
      appName: "",
      environmentId: place?.environment.id ?? "",
      environmentName: "",
      description: draft?.description ?? "",
      fileName: draft?.fileName ?? "",
      platformId: "",
      iosEnabled: true,
      mandatory: false,
      metadata: draft?.metadata ?? [],
      groups: [],
      notify: true,
    },
  });
}

type ReleaseForm = ReturnType<typeof useReleaseForm>;

/** Finds the places that an installer can be published to, and enters the proposed one into the form. */
function usePlaces(form: ReleaseForm, first: PublishingPlaces | null) {
  const t = useTranslations("upload");
  const withTexts = useProblemTexts();
  const [places, setPlaces] = useState<PublishingPlaces | null>(first);
  /** @returns why the installer cannot be published, or null */
  const findPlaces = useCallback(
    async ({ identifier, displayName, kind }: Installer, fingerprint: string): Promise<string | null> => {
      let found: PublishingPlaces;
      try {
        found = await query("apps/get-publishing-places", { identifier });
      } catch (error) {
        if (!(error instanceof ApiCallError)) throw error;
        const { title, detail } = withTexts(error.problem);
        return `${title}. ${detail}`;
      }
      if (found.items.length === 0 && found.inactiveApp) return t("place.inactive", { name: found.inactiveApp.name });
      if (found.items.length === 0 && !found.mayCreateApp) return t("place.none", { identifier });
      if (fittingPlatforms(found.platforms, kind).length === 0) return t("noPlatform");
      setPlaces(found);
      const interrupted = unfinishedUploads().filter((upload) => upload.fingerprint === fingerprint);
      const proposed = proposedPlace(
        found,
        displayName,
        interrupted.map((upload) => upload.place),
      );
      for (const [name, value] of Object.entries(proposed)) form.setValue(name as keyof typeof proposed, value);
      form.setValue("platformId", fittingPlatforms(found.platforms, kind)[0]?.id ?? "");
      return null;
    },
    [form, t, withTexts],
  );
  return { places, findPlaces, forgetPlaces: useCallback(() => setPlaces(null), []) };
}

/** Returns why an installer does not fit the environment, or null. */
function useRefusal(place: ReleasePlace | null) {
  const t = useTranslations("upload");
  const format = useFormatter();
  return useCallback(
    ({ identifier, kind }: Installer) => {
      if (place === null) return null;
      if (!place.identifiers.includes(identifier)) {
        const expected = format.list(place.identifiers, { type: "disjunction" });
        return t("wrongIdentifier", { found: identifier, expected });
      }
      return fittingPlatforms(place.platforms, kind).length === 0 ? t("noPlatform") : null;
    },
    [place, format, t],
  );
}

/** Keeps the values of an open form with its publication, and shows in the form why the publication stopped. */
function useShownPublication(
  publication: Publication | null,
  state: PublicationState | null,
  form: ReleaseForm,
  open: boolean,
): void {
  const explain = useFailureTexts();
  // A dialog that was closed stays mounted until it is opened again.
  useEffect(() => {
    if (!publication || !open) return;
    publication.shown.set(true);
    const subscription = form.watch(() => {
      publication.values = form.getValues();
    });
    return () => {
      subscription.unsubscribe();
      publication.shown.set(false);
    };
  }, [publication, form, open]);

  useEffect(() => {
    if (!publication || !state || !open) return;
    if (state.phase === "invalid") void form.trigger(undefined, { shouldFocus: true });
    if (state.phase === "cancelled") removePublication(publication);
    if (state.phase !== "failed") return;
    const { message, fields } = explain(state);
    for (const { path, message: text } of fields)
      form.setError(path as "description", { type: "server", message: text });
    // The dialog names each rule.
    const isRefusedByRules = typeof state.problem === "object" && state.problem.code === "rule_violated";
    if (message !== null && !isRefusedByRules) form.setError("root", { message });
  }, [publication, state, form, explain, open]);
}

/**
 * Publishes a release: reads the chosen installer on this device, fills in the form, uploads the file in parts, and publishes it. A
 * failure at any point keeps the form.
 */
export function usePublishing({ place: wanted, firstFile, publication: begun, open }: PublishingOptions) {
  const t = useTranslations("upload");
  const offer = begun && offers.get(begun);
  const place = offer ? offer.place : wanted;
  const [publication, setPublication] = useState<Publication | null>(begun ?? null);
  const state = usePublication(publication);
  const form = useReleaseForm(place, publication);
  const { places, findPlaces, forgetPlaces } = usePlaces(form, offer?.places ?? null);
  const { reading: own, read, handOver } = useInstallerReading(useRefusal(place));
  const reading: InstallerReading = own.status === "none" && publication ? publication.reading : own;
  const [rejection, setRejection] = useState<string | null>(null);
  useShownPublication(publication, state, form, open);

  const forget = useCallback(() => void (publication && removePublication(publication)), [publication]);

  const take = useCallback(
    async (file: File) => {
      setRejection(null);
      forgetPlaces();
      forget();
      setPublication(null);
      const outcome = await read(file);
      if (outcome.status !== "read") return;
      const { installer, chosen } = outcome;
      form.setValue("iosEnabled", installer.kind === "ipa");
      if (place) form.setValue("platformId", fittingPlatforms(place.platforms, installer.kind)[0]?.id ?? "");
      else setRejection(await findPlaces(installer, chosen.fingerprint));
    },
    [read, form, place, findPlaces, forgetPlaces, forget],
  );

  const platforms = place?.platforms ?? places?.platforms ?? null;
  const ready = reading.status === "read" && platforms !== null ? { reading, platforms } : null;

  // Focuses the only field that has to be filled in. The dialog moves the focus when the file field is removed, before
  // this effect runs.
  const chosen = ready?.reading.chosen;
  useEffect(() => {
    if (chosen) form.setFocus("description");
  }, [chosen, form]);

  const first = useRef(firstFile);
  useEffect(() => {
    if (first.current) void take(first.current);
    first.current = null;
  }, [take]);

  const publish = async (): Promise<SubmitResult> => {
    if (!ready) {
      setRejection(t("fileRequired"));
      return NOT_SUBMITTED;
    }
    const values = form.getValues();
    // A publication that failed continues where it stopped; one that was canceled begins again.
    let current = state?.phase === "cancelled" ? null : publication;
    if (current === null || current.place !== values.environmentId) {
      forget();
      current = new Publication({ reading: ready.reading, values });
      offers.set(current, { place, places });
      handOver();
      setPublication(current);
      addPublication(current);
    } else current.values = values;
    void current.run();
    return { ok: true };
  };

  return {
    place,
    places,
    form,
    /** The file that is being read or was read. */
    reading,
    /** Why the file cannot be published. */
    rejection,
    reject: setRejection,
    /** The read file and the platforms to choose from, once both are known. */
    ready,
    /** The publication and its state, while the form shows one. */
    current: publication && state ? { publication, state, isRunning: isRunning(state) } : null,
    /** Reads another file. */
    take,
    publish,
    /** Ends the publication in this browser. */
    forget,
  };
}
