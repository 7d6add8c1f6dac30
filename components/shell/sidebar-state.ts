/** Cookie that keeps the sidebar as it was left, so that the server draws it that way. */
export const SIDEBAR_COOKIE = "sidebar";

export const SIDEBAR_COLLAPSED = "collapsed";
