"use client";

import { RouteError, type RouteErrorProps } from "@/components/common/route-error";

export default function PublicError(props: RouteErrorProps) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col justify-center px-5">
      <RouteError {...props} />
    </main>
  );
}
