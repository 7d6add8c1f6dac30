"use client";

import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";

type Item = { id: string; name: string };

/** What is announced of an entry, and the names of its buttons. Positions begin with 1. */
type SortableListTexts = {
  handle: (name: string, position: number) => string;
  up: (name: string) => string;
  down: (name: string) => string;
  moved: (name: string, position: number) => string;
};

export type SortableListProps = {
  label: string;
  items: readonly Item[];
  onChange: (items: Item[]) => void;
  texts: SortableListTexts;
};

/**
 * A list that is put in order: an entry is dragged by its handle with the mouse or a finger, or moved with its buttons or
 * with the arrow keys, Home and End on the handle. Each move is announced.
 */
export function SortableList({ label, items, onChange, texts }: SortableListProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [announcement, setAnnouncement] = useState("");
  const list = useRef<HTMLOListElement>(null);

  const move = (id: string, to: number) => {
    const from = items.findIndex((item) => item.id === id);
    const item = items[from];
    if (!item || to < 0 || to >= items.length || to === from) return;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, item));
    setAnnouncement(texts.moved(item.name, to + 1));
  };
  const drag = (event: PointerEvent) => {
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    const over = rows.findIndex(({ top, bottom }) => event.clientY >= top && event.clientY < bottom);
    if (dragged !== null && over >= 0) move(dragged, over);
  };
  const onKey = (event: KeyboardEvent, id: string, index: number) => {
    const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: items.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    move(id, to);
  };

  return (
    <>
      <ol ref={list} aria-label={label} className="divide-y divide-border rounded-lg border border-border">
        {items.map(({ id, name }, index) => (
          <li key={id} className={cn("flex min-h-12 items-center gap-1 px-1", dragged === id && "bg-accent shadow-md")}>
            <button
              type="button"
              aria-label={texts.handle(name, index + 1)}
              className="flex size-11 shrink-0 cursor-grab touch-none items-center justify-center rounded-md text-muted-foreground hover:bg-accent active:cursor-grabbing"
              onKeyDown={(event) => onKey(event, id, index)}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(id);
              }}
              onPointerMove={drag}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
            >
              <GripVertical aria-hidden className="size-4" />
            </button>
            <span className="min-w-0 flex-1 break-words">{name}</span>
            <Button
              variant="ghost"
              size="icon"
              aria-label={texts.up(name)}
              aria-disabled={index === 0}
              className="aria-disabled:opacity-30"
              onClick={() => move(id, index - 1)}
            >
              <ArrowUp aria-hidden />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={texts.down(name)}
              aria-disabled={index === items.length - 1}
              className="aria-disabled:opacity-30"
              onClick={() => move(id, index + 1)}
            >
              <ArrowDown aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      <output aria-live="polite" className="sr-only">
        {announcement}
      </output>
    </>
  );
}
