import { handleSso } from "@/lib/api/sso-route";
import { env } from "@/lib/kernel/env";
import type { Caller } from "./console";

/** What stands in the window: the address, and the page where a server gave one. */
export interface View {
  url: URL;
  status: number;
  html: string;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] as string);
}

/**
 * As much of a browser as a sign-in needs: cookies by host, redirects, forms. The console's own pages are not opened;
 * a redirect to one of them, or to where nobody listens, ends in its address.
 */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** @param servers the addresses of servers beside the console */
  constructor(private readonly servers: () => string[]) {}

  /** Cookies of a host by name. */
  cookies(host: string): Map<string, string> {
    const jar = this.#jars.get(host) ?? new Map<string, string>();
    this.#jars.set(host, jar);
    return jar;
  }

  /** This browser as a caller of the console's operations. */
  get caller(): Caller {
    return { headers: { cookie: this.#cookieHeader(new URL(env.APP_URL)), origin: env.APP_URL } };
  }

  #cookieHeader(url: URL): string {
    return [...this.cookies(url.hostname)].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const name = pair.slice(0, pair.indexOf("="));
      const gone = attributes.some((attribute) => {
        return (
          /^max-age=0$/i.test(attribute) || (/^expires=/i.test(attribute) && new Date(attribute.slice(8)) < new Date())
        );
      });
      if (gone) this.cookies(url.hostname).delete(name);
      else this.cookies(url.hostname).set(name, pair.slice(pair.indexOf("=") + 1));
    }
  }

  /** Opens an address and follows redirects. */
  async open(address: string | URL, form?: URLSearchParams, headers: Record<string, string> = {}): Promise<View> {
    const url = new URL(address);
    const own = url.origin === env.APP_URL;
    if (own ? !url.pathname.startsWith("/api/sso/") : !this.servers().some((server) => server.startsWith(url.origin))) {
      return { url, status: 200, html: "" };
    }
    const request = new Request(url, {
      method: form ? "POST" : "GET",
      headers: { cookie: this.#cookieHeader(url), ...headers },
      redirect: "manual",
      ...(form && { body: form }),
    });
    const response = await (own ? handleSso(request) : fetch(request));
    this.#keep(url, response.headers);
    const location = response.headers.get("location");
    const html = await response.text();
    return location === null ? { url, status: response.status, html } : this.open(new URL(location, url));
  }

  /** Presses a button of a page's form, the first one where none is named. */
  submit(view: View, button = ""): Promise<View> {
    for (const [, attributes = "", content = ""] of view.html.matchAll(/<form([^>]*)>([\s\S]*?)<\/form>/g)) {
      if (!content.includes(button)) continue;
      const action = /action="([^"]*)"/.exec(attributes)?.[1] ?? "";
      const fields = new URLSearchParams();
      for (const [tag] of content.matchAll(/<(?:input|button)[^>]*>/g)) {
        const name = / name="([^"]*)"/.exec(tag)?.[1];
        if (name) fields.append(unescaped(name), unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? ""));
      }
      return this.open(new URL(unescaped(action), view.url), fields);
    }
    throw new Error(`no such form at ${view.url}: ${view.html.slice(0, 500)}`);
  }

  /** Goes on through the pages of a provider until the window is back at the console, or elsewhere. */
  async through(address: string | URL, button = ""): Promise<View> {
    let view = await this.open(address);
    while (view.html.includes("<form")) view = await this.submit(view, view.html.includes(button) ? button : "");
    return view;
  }
}
