"use client";

import dynamic from "next/dynamic";

// Every page contains it; its code is loaded where it is shown.
export const NotFoundMessage = dynamic(() => import("./not-found-message").then((file) => file.NotFoundMessage));
