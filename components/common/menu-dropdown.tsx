"use client";

import { ChevronDown } from "lucide-react";
import { Fragment, type ReactNode, useRef, useState } from "react";
import { Link } from "@/components/common/link";
import { cn } from "@/components/ui/cn";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
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

/** From this width on, a menu of an item is shown beside its menu (`sm` of Tailwind). */
const BESIDE = "(min-width: 40rem)";

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
      <ItemWithMenu label={item.label} items={item.items} disabled={item.disabled}>
        {content}
      </ItemWithMenu>
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

type ItemWithMenuProps = { label: string; items: readonly MenuItem[]; disabled?: boolean; children: ReactNode };

/** An item with a menu of its own. A phone has no room beside the menu, so it is shown below the item. */
function ItemWithMenu({ label, items, disabled, children }: ItemWithMenuProps) {
  const [isBeside] = useState(() => window.matchMedia(BESIDE).matches);
  const [isOpen, setIsOpen] = useState(false);
  if (isBeside) {
    return (
      <DropdownMenuSub>
        <DropdownMenuSubTrigger disabled={disabled}>{children}</DropdownMenuSubTrigger>
        <DropdownMenuSubContent>
          <Items items={items} />
        </DropdownMenuSubContent>
      </DropdownMenuSub>
    );
  }
  const toggle = (event: Event) => {
    // The menu stays open.
    event.preventDefault();
    setIsOpen(!isOpen);
  };
  return (
    <>
      <DropdownMenuItem disabled={disabled} aria-expanded={isOpen} onSelect={toggle}>
        {children}
        <ChevronDown aria-hidden className={cn("ml-auto transition-transform", isOpen && "rotate-180")} />
      </DropdownMenuItem>
      {isOpen && (
        <DropdownMenuGroup aria-label={label} className="pl-6">
          <Items items={items} />
        </DropdownMenuGroup>
      )}
    </>
  );
}
