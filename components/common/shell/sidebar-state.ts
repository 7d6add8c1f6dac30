/** Cookie with the state of the sidebar, so that the server renders it in that state. */
export const SIDEBAR_COOKIE = "sidebar";

export const SIDEBAR_COLLAPSED = "collapsed";

/** Cookie with the state of the group of administrators' pages. */
export const ADMINISTER_COOKIE = "sidebar-administer";

export const ADMINISTER_FOLDED = "folded";
