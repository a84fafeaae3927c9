import { http, HttpResponse, type RequestHandler } from 'msw'

/** A server of this process, or one of its worlds. */
export interface Answering {
  fetch(request: Request): Promise<Response>
}

export interface HandlerOptions {
  /** Whose requests are answered: `support.vendor.example`, with its port where it has one. */
  hosts: readonly string[]
}

/**
 * Handlers for Mock Service Worker: what a client asks these hosts is answered by the server, without a port. Links
 * carry the host that was asked, and a lost reply is a network error.
 */
export function vendorHandlers(vendorCloud: Answering, { hosts }: HandlerOptions): RequestHandler[] {
  return hosts.map((host) =>
    http.all(toPattern(host), async ({ request }) => {
      try {
        return await vendorCloud.fetch(request)
      } catch (error) {
        if (error instanceof TypeError) return HttpResponse.error()
        throw error
      }
    }),
  )
}

function toPattern(host: string): RegExp {
  if (!URL.canParse(`https://${host}/`) || new URL(`https://${host}/`).pathname !== '/' || /[/@?#]/.test(host)) {
    throw new TypeError(`${host} is no host such as support.vendor.example`)
  }
  return new RegExp(`^https?://${host.toLowerCase().replace(/[.[\]]/g, '\\$&')}/`)
}
