"use client";

import dynamic from "next/dynamic";

// All users have the same layout; testers do not load the navigation.
export const ConsoleFrame = dynamic(() => import("./console-frame").then((file) => file.ConsoleFrame));
export const TesterFrame = dynamic(() => import("./tester-frame").then((file) => file.TesterFrame));
