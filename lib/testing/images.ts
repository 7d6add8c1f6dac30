import { imageRenderer } from "@/lib/storage/images";
import { ImageRenderer, type RendererOptions } from "@/lib/storage/images/renderer";

/** Runs something with a renderer that has other options. */
export async function withRenderer<T>(options: Partial<RendererOptions>, work: () => Promise<T>): Promise<T> {
  const usual = imageRenderer.get();
  imageRenderer.set(new ImageRenderer(options));
  try {
    return await work();
  } finally {
    imageRenderer.set(usual);
  }
}
