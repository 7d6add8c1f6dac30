"use client";

import { useTranslations } from "next-intl";
import type { DialogProps } from "@/components/common/use-dialog";
import {
  Dialog,
  DialogBody,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { ImageList } from "./image-list";
import type { ShownFile } from "./shown-files";

export type ImagesDialogProps = DialogProps & {
  /** Of the file. */
  name: string;
  symbols: NonNullable<ShownFile["symbols"]>;
};

/** The UUIDs that a file has symbols for. */
export function ImagesDialog({ name, symbols, open, onOpenChange }: ImagesDialogProps) {
  const t = useTranslations("releaseFiles");
  const { items, images, matched } = symbols;
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle className="break-all">{name}</DialogTitle>
          <DialogDescription>
            {matched === null ? t("uuids", { count: images }) : t("matched", { matched, count: images })}
          </DialogDescription>
        </DialogHeader>
        <DialogBody className="pb-4">
          <ImageList images={items} total={images} />
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}
