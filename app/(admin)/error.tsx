"use client";

export { RouteError as default } from "@/components/common/route-error";
