import type { DeviceSystem } from "./schema";

/** The system of a device by Apple's identifier of its model; an iPhone's if the model is not known. */
export function systemOfModel(model: string | null): DeviceSystem {
  return model?.startsWith("iPad") ? "ipados" : "ios";
}

/** The name of a device that its owner has not named. */
export function defaultDeviceName(given: { modelName: string | null; model: string | null; os: DeviceSystem }): string {
  const systems = { ios: "iPhone", ipados: "iPad", android: "Android", desktop: "Desktop" };
  return given.modelName ?? (given.model || systems[given.os]);
}
