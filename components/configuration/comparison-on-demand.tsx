"use client";

import dynamic from "next/dynamic";

// Loaded only where they are shown: all sections of a page of entries share one first load.
export const ComparisonPlaces = dynamic(() => import("./comparison-places").then((file) => file.ComparisonPlaces));
export const ComparisonTable = dynamic(() => import("./comparison-table").then((file) => file.ComparisonTable));
