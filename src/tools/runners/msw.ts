import { http, HttpResponse, type RequestHandler } from 'msw'

export interface Answering {
  fetch(request: Request): Promise<Response>
}

export interface HandlerOptions {
  /** Only requests to these hosts, each with its port where it has one, are answered. */
  hosts: readonly string[]
}

/**
 * Mock Service Worker answers these hosts from the server, without a port. Links carry the host that was asked, and a
 * lost reply is a network error.
 */
export function vendorHandlers(vendorCloud: Answering, { hosts }: HandlerOptions): RequestHandler[] {
  return hosts.map((host) =>
    http.all(toPattern(host), async ({ request }) => {
      try {
        return await vendorCloud.fetch(request)
      } catch (error) {
        // Nobody waits for what was aborted, and any other error would be written on the console for each of them.
        if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error()
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
