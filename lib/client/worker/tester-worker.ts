import { showNotifications } from "./notifications";

// The worker of the pages of testers without an account. It shows notifications and nothing else: it stores no page and handles no request.
showNotifications(self as unknown as Parameters<typeof showNotifications>[0]);
