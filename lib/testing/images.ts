import { imageRenderer } from "@/lib/storage/images";
import { ImageRenderer, type RendererOptions } from "@/lib/storage/images/renderer";

/** Runs `work` with an image renderer that has the given options. */
export async function withRenderer<T>(options: Partial<RendererOptions>, work: () => Promise<T>): Promise<T> {
  const original = imageRenderer.get();
  imageRenderer.set(new ImageRenderer(options));
  try {
    return await work();
  } finally {
    imageRenderer.set(original);
  }
}
