/** Cookie with the state of the sidebar, so that the server renders it in that state. */
export const SIDEBAR_COOKIE = "sidebar";

export const SIDEBAR_COLLAPSED = "collapsed";
