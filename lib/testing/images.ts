import { ImageRenderer, type RendererOptions } from "@/lib/storage/images/renderer";

const shared = globalThis as { slipwayImages?: ImageRenderer };

/** Runs something while images are drawn by a renderer of the test's own. */
export async function withRenderer<T>(options: Partial<RendererOptions>, work: () => Promise<T>): Promise<T> {
  const usual = shared.slipwayImages;
  shared.slipwayImages = new ImageRenderer(options);
  try {
    return await work();
  } finally {
    shared.slipwayImages = usual;
  }
}
