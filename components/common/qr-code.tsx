"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { Skeleton } from "@/components/ui/skeleton";
import { notify } from "@/lib/client/notify";

export type QrCodeProps = {
  /** The text of the code, usually a URL; up to 2,953 bytes. */
  value: string;
  /** What the code links to; the image's alternative text. */
  label: string;
  /** Adds a button that copies the image. */
  copyable?: boolean;
  className?: string;
};

/** The modules of the code, row by row; 1 is dark. */
type Matrix = { size: number; data: Uint8Array };

/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const QUIET_ZONE = 4;
const COPY_SCALE = 12;
const CONFIRMATION_MS = 2000;

/** A QR code, always dark on white because some readers require it, with a button that copies it as an image. */
export function QrCode({ value, label, copyable = true, className }: QrCodeProps) {
  const t = useTranslations("common.qr");
  const [matrix, setMatrix] = useState<Matrix | "failed" | "loadFailed" | null>(null);
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    let shown = true;
    const draw = async () => {
      try {
        const { create } = await import("qrcode");
        if (!shown) return;
        try {
          const { size, data } = create(value, { errorCorrectionLevel: "M" }).modules;
          setMatrix({ size, data });
        } catch {
          setMatrix("failed");
        }
      } catch {
        if (shown) setMatrix("loadFailed");
      }
    };
    void draw();
    return () => {
      shown = false;
    };
  }, [value]);

  useEffect(() => {
    if (!copied) return;
    const timeout = setTimeout(() => setCopied(false), CONFIRMATION_MS);
    return () => clearTimeout(timeout);
  }, [copied]);

  if (typeof matrix === "string") return <Alert tone="danger" title={t(matrix)} className={className} />;

  const copy = async () => {
    if (!matrix) return;
    try {
      // Safari requires the item to be created during the press; therefore it contains a promise.
      await navigator.clipboard.write([new ClipboardItem({ "image/png": toPng(matrix) })]);
      setCopied(true);
    } catch {
      notify.error(t("copyFailedTitle"), { description: t("copyFailedDescription") });
    }
  };

  const side = (matrix?.size ?? 0) + 2 * QUIET_ZONE;
  const Icon = copied ? Check : Copy;
  return (
    <div data-slot="qr-code" className={cn("flex w-48 flex-col items-stretch gap-3", className)}>
      <div className="aspect-square overflow-hidden rounded-lg border border-border bg-white">
        {matrix ? (
          <svg
            role="img"
            aria-label={label}
            viewBox={`0 0 ${side} ${side}`}
            shapeRendering="crispEdges"
            className="size-full"
          >
            <path d={toPath(matrix)} fill="#000" />
          </svg>
        ) : (
          <Skeleton className="size-full rounded-none" />
        )}
      </div>
      {copyable && (
        <Button variant="secondary" onClick={copy} disabled={!matrix}>
          <Icon aria-hidden className={copied ? "text-success" : undefined} />
          <span aria-live="polite">{t(copied ? "copied" : "copy")}</span>
        </Button>
      )}
    </div>
  );
}

function darkModules({ size, data }: Matrix): { x: number; y: number }[] {
  return Array.from(data, (dark, index) => ({ dark, x: index % size, y: Math.floor(index / size) }))
    .filter(({ dark }) => dark)
    .map(({ x, y }) => ({ x: x + QUIET_ZONE, y: y + QUIET_ZONE }));
}

function toPath(matrix: Matrix): string {
  return darkModules(matrix)
    .map(({ x, y }) => `M${x} ${y}h1v1h-1z`)
    .join("");
}

async function toPng(matrix: Matrix): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = (matrix.size + 2 * QUIET_ZONE) * COPY_SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas in this browser");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  for (const { x, y } of darkModules(matrix)) {
    context.fillRect(x * COPY_SCALE, y * COPY_SCALE, COPY_SCALE, COPY_SCALE);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("the canvas could not be written as PNG");
  return blob;
}
