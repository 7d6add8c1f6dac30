"use client";

import NextLink from "next/link";
import type { ComponentProps } from "react";
import { type Navigate, useNavigate } from "./pending/navigation";

export type LinkProps = Omit<ComponentProps<typeof NextLink>, "href" | "onNavigate"> & {
  href: string;
  /** Opens the page; the default is `useNavigate()`. */
  navigate?: Navigate;
};

/** A link to a page of the console. The bar at the top of the window is shown while the page is being loaded. */
export function Link({ navigate, ...props }: LinkProps) {
  const open = useNavigate();
  const { href, replace, scroll } = props;
  return (
    <NextLink
      {...props}
      onNavigate={(event) => {
        event.preventDefault();
        (navigate ?? open)(href, { replace, scroll });
      }}
    />
  );
}
