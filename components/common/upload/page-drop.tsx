"use client";

import { FileUp } from "lucide-react";
import { useEffect, useState } from "react";

export type PageDropProps = {
  /** What happens to a file that is dropped here. */
  label: string;
  /** Whether another element of the page currently accepts files. */
  disabled: boolean;
  onFile: (file: File) => void;
};

/** Accepts a file that is dropped anywhere on the page, and shows an overlay while a file is dragged over it. */
export function PageDrop({ label, disabled, onFile }: PageDropProps) {
  const [over, setOver] = useState(false);

  useEffect(() => {
    if (disabled) return;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const allowDrop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // Otherwise, the browser would open the file.
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent) => {
      // Moving between two elements of the page has a related target; leaving the page has none.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    document.addEventListener("dragover", allowDrop);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", allowDrop);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", drop);
    };
  }, [disabled, onFile]);

  if (!over || disabled) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none fixed inset-2 z-40 flex animate-fade-in flex-col items-center justify-center gap-3 rounded-xl border-2 border-primary border-dashed bg-background/90"
    >
      <FileUp className="size-8 text-link" />
      <p className="text-balance px-6 text-center font-medium text-base">{label}</p>
    </div>
  );
}
