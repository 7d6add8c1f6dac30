"use client";

import { FileUp } from "lucide-react";
import { useEffect, useState } from "react";

export type PageDropProps = {
  /** What happens to a file that is dropped here. */
  label: string;
  /** Another place on the page takes files at the moment. */
  disabled: boolean;
  onFile: (file: File) => void;
};

/** Takes a file that is dropped anywhere on the page, and says so while one is held over it. */
export function PageDrop({ label, disabled, onFile }: PageDropProps) {
  const [over, setOver] = useState(false);

  useEffect(() => {
    if (disabled) return;
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const hold = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      // Without this the browser would open the file in place of the page.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // Between two elements of the page there is another one; outside of it there is none.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file) onFile(file);
    };
    document.addEventListener("dragover", hold);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", hold);
      document.removeEventListener("dragleave", leave);
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
