/** Query parameter of the sign-in: the page that was wanted, to go on to. */
export const NEXT_PARAMETER = "next";

/** Query parameter of the sign-in: a session has just ended, and the page says so. */
export const EXPIRED_PARAMETER = "expired";
