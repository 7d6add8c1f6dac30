import { handleSso } from "@/lib/features/sso/routes";
import { toResponse } from "@/lib/http/reply";
import { env } from "@/lib/kernel/env";
import type { Caller } from "./console";

/** The current URL and the response of its server; an empty page if it was not opened. */
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
 * A minimal browser for sign-ins: cookies by host, redirects and forms. It does not open pages of the console or of unknown
 * servers: a redirect to one of them ends at its URL.
 */
export class TestBrowser {
  readonly #jars = new Map<string, Map<string, string>>();

  /** @param servers the URLs of servers other than the console */
  constructor(private readonly servers: () => string[]) {}

  /** Returns the cookies of a host by name. */
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

  #storeCookies(url: URL, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = "", ...attributes] = line.split("; ");
      const name = pair.slice(0, pair.indexOf("="));
      const expired = attributes.some((attribute) => {
        return (
          /^max-age=0$/i.test(attribute) || (/^expires=/i.test(attribute) && new Date(attribute.slice(8)) < new Date())
        );
      });
      if (expired) this.cookies(url.hostname).delete(name);
      else this.cookies(url.hostname).set(name, pair.slice(pair.indexOf("=") + 1));
    }
  }

  /** Opens a URL and follows redirects. */
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
    const response = own ? toResponse(await handleSso(request), request) : await fetch(request);
    this.#storeCookies(url, response.headers);
    const location = response.headers.get("location");
    const html = await response.text();
    return location === null ? { url, status: response.status, html } : this.open(new URL(location, url));
  }

  /** Submits the form that contains the given text; by default, the first form. */
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

  /** Opens a URL and submits the forms of a provider's pages until a page has none. */
  async through(address: string | URL, button = ""): Promise<View> {
    let view = await this.open(address);
    while (view.html.includes("<form")) view = await this.submit(view, view.html.includes(button) ? button : "");
    return view;
  }
}
