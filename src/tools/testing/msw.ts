import { URL } from 'node:url'
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
export function vendorHandlers(vendorCloud: Answering, options: HandlerOptions): RequestHandler[] {
  return readHosts(options).map((host) =>
    http.all(toPattern(host), async ({ request }) => {
      try {
        return await vendorCloud.fetch(request)
      } catch (error) {
        // The caller has aborted, and any other error would be written to the console.
        if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error()
        throw error
      }
    }),
  )
}

/** JavaScript callers have no compiler to reject a misspelled or missing option. */
function readHosts(given: HandlerOptions): readonly string[] {
  const options: object = Object(given)
  const wrong = Object.keys(options).find((name) => name !== 'hosts')
  if (wrong !== undefined) throw new TypeError(`${wrong} is not an option of vendorHandlers (did you mean hosts?)`)
  const { hosts } = options as Partial<HandlerOptions>
  if (Array.isArray(hosts) && hosts.length > 0) return hosts
  throw new TypeError("hosts must be a list of at least one host, such as ['support.vendor.example']")
}

const HOST = /^(?:[\p{L}\p{N}._-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu

function toPattern(host: string): RegExp {
  if (typeof host !== 'string' || !HOST.test(host) || !URL.canParse(`https://${host}/`)) {
    throw new TypeError(`${host} is not a host name such as support.vendor.example`)
  }
  // As requests have it: in lower case, in Punycode and without the default port.
  const origins = ['http', 'https'].map((scheme) => new URL(`${scheme}://${host}/`).origin)
  return new RegExp(`^(?:${origins.map((origin) => origin.replace(/[.[\]]/g, '\\$&')).join('|')})/`)
}
