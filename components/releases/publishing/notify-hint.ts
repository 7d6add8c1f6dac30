/** The key of what the switch that tells groups says. @param mail whether a mail server is set up @param notify whether it is on */
export function notifyHint(mail: boolean, notify: boolean): "notifyHint" | "noMailHint" | "onlyPushHint" {
  if (mail) return "notifyHint";
  return notify ? "onlyPushHint" : "noMailHint";
}
