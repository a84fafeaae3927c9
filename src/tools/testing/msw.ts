import { URL } from 'node:url'
import { http, HttpResponse, type RequestHandler } from 'msw'

export interface Answering {
  fetch(request: Request): Promise<Response>
}

export interface HandlerOptions {
  /** Hosts for which the server responds, each with its port if the URL contains one. */
  hosts: readonly string[]
}

/**
 * Creates handlers for Mock Service Worker. The server responds to requests to these hosts without a network port.
 * Links in responses contain the requested host. A lost response causes a network error.
 */
export function vendorHandlers(vendorCloud: Answering, options: HandlerOptions): RequestHandler[] {
  return readHosts(options).map((host) =>
    http.all(toPattern(host), async ({ request }) => {
      try {
        return await vendorCloud.fetch(request)
      } catch (error) {
        // MSW writes any other error to the console, so an aborted request must be a network error.
        if (error instanceof TypeError || request.signal.aborted) return HttpResponse.error()
        throw error
      }
    }),
  )
}

/** Callers that use JavaScript have no compiler to report a misspelled or missing option. */
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
  // The URL parser normalizes the host as in requests: lower case, Punycode and no default port.
  const origins = ['http', 'https'].map((scheme) => new URL(`${scheme}://${host}/`).origin)
  return new RegExp(`^(?:${origins.map((origin) => origin.replace(/[.[\]]/g, '\\$&')).join('|')})/`)
}
