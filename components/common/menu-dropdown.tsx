"use client";

import { Fragment, useRef, useState } from "react";
import { Link } from "@/components/common/link";
import { cn } from "@/components/ui/cn";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuSub,
  DropdownMenuSubContent,
  DropdownMenuSubTrigger,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import type { MenuItem, MenuProps, MenuSection } from "./menu";
import type { OnDemandProps } from "./on-demand";

/** The menu itself, initially open. Use `Menu`, which loads this component on demand. */
export function MenuDropdown({ trigger, openedBy, sections, header, align, className }: MenuProps & OnDemandProps) {
  const [open, setOpen] = useState(true);
  const focused = useRef(false);

  // The key press came before the menu's own listeners were attached, so the menu does not know that it was opened by
  // keyboard.
  const focusFirst = (content: HTMLDivElement | null) => {
    if (content && openedBy === "keyboard" && !focused.current) {
      focused.current = true;
      requestAnimationFrame(() => content.querySelector<HTMLElement>("[role^=menuitem]")?.focus());
    }
  };

  return (
    // Not modal: assistive technology can still read the page, and the page does not shift when its scroll bar
    // disappears.
    <DropdownMenu modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent ref={focusFirst} align={align} className={className}>
        {header && (
          <>
            <div className="px-2 py-1.5">{header}</div>
            <DropdownMenuSeparator />
          </>
        )}
        {sections.map((section, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sections have no identity other than their position
          <Fragment key={index}>
            {index > 0 && <DropdownMenuSeparator />}
            {section.label && <DropdownMenuLabel>{section.label}</DropdownMenuLabel>}
            <Section section={section} />
          </Fragment>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

function Section({ section }: { section: MenuSection }) {
  if ("items" in section) return <Items items={section.items} />;
  return (
    <DropdownMenuRadioGroup value={section.value} onValueChange={section.onValueChange}>
      {section.options.map((option) => (
        <DropdownMenuRadioItem key={option.value} value={option.value} lang={option.lang}>
          {option.icon}
          {option.label}
        </DropdownMenuRadioItem>
      ))}
    </DropdownMenuRadioGroup>
  );
}

function Items({ items }: { items: readonly MenuItem[] }) {
  return items.map((item, index) => (
    <Fragment key={`${item.href ?? ""} ${item.label}`}>
      {item.destructive && index > 0 && !items[index - 1]?.destructive && <DropdownMenuSeparator />}
      <Item item={item} />
    </Fragment>
  ));
}

function Item({ item }: { item: MenuItem }) {
  const content = (
    <>
      {item.icon}
      <span className="truncate">{item.label}</span>
    </>
  );
  const appearance = {
    variant: item.destructive ? ("destructive" as const) : ("default" as const),
    disabled: item.disabled,
    className: cn(item.current && "bg-highlight font-medium"),
  };
  if (item.items !== undefined) {
    return (
      <DropdownMenuSub>
        <DropdownMenuSubTrigger disabled={item.disabled}>{content}</DropdownMenuSubTrigger>
        <DropdownMenuSubContent>
          <Items items={item.items} />
        </DropdownMenuSubContent>
      </DropdownMenuSub>
    );
  }
  if (item.href === undefined) {
    return (
      <DropdownMenuItem {...appearance} onSelect={item.onSelect}>
        {content}
      </DropdownMenuItem>
    );
  }
  return (
    <DropdownMenuItem {...appearance} asChild onSelect={item.onSelect}>
      <Link href={item.href} prefetch={false} aria-current={item.current || undefined}>
        {content}
      </Link>
    </DropdownMenuItem>
  );
}
