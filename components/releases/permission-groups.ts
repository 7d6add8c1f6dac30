/**
 * The permission groups that Android asks the user about (developer.android.com, "Permissions on Android"), with the
 * permissions that belong to each.
 */
const GROUPS = {
  location: ["ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_BACKGROUND_LOCATION"],
  camera: ["CAMERA"],
  microphone: ["RECORD_AUDIO"],
  contacts: ["READ_CONTACTS", "WRITE_CONTACTS", "GET_ACCOUNTS"],
  calendar: ["READ_CALENDAR", "WRITE_CALENDAR"],
  phone: ["CALL_PHONE", "READ_PHONE_STATE", "READ_PHONE_NUMBERS", "ANSWER_PHONE_CALLS", "USE_SIP", "ADD_VOICEMAIL"],
  callLog: ["READ_CALL_LOG", "WRITE_CALL_LOG", "PROCESS_OUTGOING_CALLS"],
  sms: ["SEND_SMS", "RECEIVE_SMS", "READ_SMS", "RECEIVE_WAP_PUSH", "RECEIVE_MMS"],
  files: [
    "READ_EXTERNAL_STORAGE",
    "WRITE_EXTERNAL_STORAGE",
    "MANAGE_EXTERNAL_STORAGE",
    "READ_MEDIA_IMAGES",
    "READ_MEDIA_VIDEO",
    "READ_MEDIA_AUDIO",
    "READ_MEDIA_VISUAL_USER_SELECTED",
  ],
  nearbyDevices: ["BLUETOOTH_SCAN", "BLUETOOTH_CONNECT", "BLUETOOTH_ADVERTISE", "NEARBY_WIFI_DEVICES", "UWB_RANGING"],
  sensors: ["BODY_SENSORS", "BODY_SENSORS_BACKGROUND", "ACTIVITY_RECOGNITION"],
  notifications: ["POST_NOTIFICATIONS"],
  overlays: ["SYSTEM_ALERT_WINDOW"],
  installs: ["REQUEST_INSTALL_PACKAGES"],
} as const satisfies Record<string, readonly string[]>;

type PermissionGroup = keyof typeof GROUPS;

const PREFIX = "android.permission.";

/** The groups that an app's permissions belong to, in the order of the table. */
export function permissionGroups(permissions: readonly string[]): PermissionGroup[] {
  const names = new Set(permissions.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)));
  return (Object.keys(GROUPS) as PermissionGroup[]).filter((group) => GROUPS[group].some((name) => names.has(name)));
}
