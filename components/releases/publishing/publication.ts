import type { z } from "zod";
import { Store } from "@/components/common/store";
import { browserUpload, type ChosenFile } from "@/components/common/upload/browser-upload";
import { removeUpload } from "@/components/common/upload/unfinished-uploads";
import { whileUploading } from "@/components/common/upload/upload-locks";
import { ApiCallError, type ApiProblem, command } from "@/lib/client/client";
import type { Uploader, UploadSnapshot } from "@/lib/client/upload/uploader";
import type { PublishedRelease } from "@/lib/features/releases/schema";
import { removeDraft, storeDraft } from "./release-draft";
import { NEW, type ReleaseValues, releaseValuesSchema } from "./release-values";
import type { InstallerReading } from "./use-installer-reading";

type Named = { id: string; name: string };

/** What a publication has added before the release. */
export type Added = { app?: Named; environment?: Named };

export type PublicationState =
  | { phase: "uploading"; upload: UploadSnapshot }
  /** The file is stored. The app, the environment and the release are being added. */
  | { phase: "adding" }
  /** The file is stored, and the form has a value that cannot be published. */
  | { phase: "invalid" }
  | { phase: "failed"; problem: ApiProblem | "file_unreadable"; added: Added }
  | { phase: "cancelled" }
  | { phase: "published"; release: PublishedRelease };

/** The server's side of a publication. */
export interface PublicationCalls {
  upload(
    chosen: ChosenFile,
    place: string,
  ): Pick<Uploader, "run" | "snapshot" | "subscribe" | "pause" | "resume" | "cancel" | "leave">;
  command: typeof command;
}

const BROWSER: PublicationCalls = { upload: browserUpload, command };

/** Whether a publication still works without the user. */
export function isRunning({ phase }: PublicationState): boolean {
  return phase === "uploading" || phase === "adding";
}

/**
 * Publishes one installer: uploads it, adds the app and the environment if they do not exist, and then the release, with
 * the values that the form has by then. It does not depend on a component, so it continues while the user opens other pages.
 * Nothing is added before the whole file is stored. After a failure, `run` continues with the step that failed.
 */
export class Publication {
  readonly id = crypto.randomUUID();
  readonly reading: Extract<InstallerReading, { status: "read" }>;
  /** Whether a dialog shows this publication. */
  readonly shown = new Store(true);
  /** The environment's ID, or `NEW`: the key of the upload and of the draft. */
  readonly place: string;
  readonly #calls: PublicationCalls;
  readonly #state: Store<PublicationState>;
  readonly #added: Added = {};
  #values: ReleaseValues;
  #uploader: ReturnType<PublicationCalls["upload"]>;
  #fileId: string | null = null;
  #running: Promise<void> | null = null;
  /** Whether the build is published although it breaks rules of the environment. */
  override = false;

  constructor(options: { reading: Publication["reading"]; values: ReleaseValues }, calls: PublicationCalls = BROWSER) {
    this.reading = options.reading;
    this.place = options.values.environmentId;
    this.#values = options.values;
    this.#calls = calls;
    this.#uploader = calls.upload(this.reading.chosen, this.place);
    this.#state = new Store<PublicationState>({ phase: "uploading", upload: this.#uploader.snapshot() });
  }

  readonly get = (): PublicationState => this.#state.get();
  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /** The form's values. They may change until the file is stored. */
  get values(): ReleaseValues {
    return this.#values;
  }

  set values(values: ReleaseValues) {
    this.#values = values;
    const { description, fileName, metadata } = values;
    storeDraft(this.place, { description, fileName, metadata });
  }

  /**
   * Uploads and publishes, or continues after a failure. While it runs, other tabs do not call the upload interrupted, and another call
   * returns the same run.
   */
  run(): Promise<void> {
    const { fingerprint } = this.reading.chosen;
    this.#running ??= whileUploading({ fingerprint, place: this.place }, () => this.#run()).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run(): Promise<void> {
    this.values = this.#values;
    if (!(await this.#upload())) return;
    const values = releaseValuesSchema.safeParse(this.#values);
    if (!values.success) {
      this.#state.set({ phase: "invalid" });
      return;
    }
    this.#state.set({ phase: "adding" });
    try {
      this.#state.set({ phase: "published", release: await this.#add(values.data) });
    } catch (error) {
      if (!(error instanceof ApiCallError)) throw error;
      this.#state.set({ phase: "failed", problem: error.problem, added: this.#added });
    }
  }

  pause(): void {
    this.#uploader.pause();
  }

  resume(): void {
    this.#uploader.resume();
  }

  /** Cancels the upload, on the server too. */
  cancel(): void {
    this.#uploader.cancel();
  }

  /** Stops without canceling: choosing the same file later resumes the upload. */
  leave(): void {
    this.#uploader.leave();
  }

  /** @returns whether the file is stored */
  async #upload(): Promise<boolean> {
    if (this.#fileId !== null) return true;
    // An uploader is used for one run.
    if (this.get().phase !== "uploading") this.#uploader = this.#calls.upload(this.reading.chosen, this.place);
    const uploader = this.#uploader;
    const follow = () => this.#state.set({ phase: "uploading", upload: uploader.snapshot() });
    follow();
    const unsubscribe = uploader.subscribe(follow);
    const outcome = await uploader.run().finally(unsubscribe);
    if (outcome.status === "done") this.#fileId = outcome.fileId;
    else if (outcome.status === "cancelled") this.#state.set({ phase: "cancelled" });
    else this.#state.set({ phase: "failed", problem: outcome.problem, added: this.#added });
    return outcome.status === "done";
  }

  /** Adds what is missing. Each step is remembered, so that another run does not repeat it. */
  async #add(values: z.output<typeof releaseValuesSchema>): Promise<PublishedRelease> {
    const { installer, chosen } = this.reading;
    const { appId, appName, environmentId, environmentName, groups, notify, ...fields } = values;
    // A new environment has no groups of its own.
    const told = environmentId !== NEW && groups.length > 0 ? { groups, notify } : {};
    const release = await this.#calls.command("apps/create-testing-deploy", {
      environmentId:
        environmentId === NEW ? (await this.#environment(appId, appName, environmentName)).id : environmentId,
      fileId: this.#fileId as string,
      version: installer.version,
      buildNumber: installer.buildNumber,
      ...fields,
      ...told,
      ...(this.override && { override: true }),
    });
    removeUpload({ fingerprint: chosen.fingerprint, place: this.place });
    removeDraft(this.place);
    return release;
  }

  async #environment(appId: string, appName: string, name: string): Promise<Named> {
    const { identifier } = this.reading.installer;
    if (appId === NEW && !this.#added.app) {
      this.#added.app = await this.#calls.command("apps/create-app", { name: appName, identifier });
    }
    const parentId = this.#added.app?.id ?? appId;
    this.#added.environment ??= await this.#calls.command("apps/create-environment-app", { appId: parentId, name });
    return this.#added.environment;
  }
}
