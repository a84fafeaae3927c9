import type { Agent } from 'undici'

const LOOPBACK = /^(?:(?:[^/]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Requests to this machine bypass the proxy of `NODE_USE_ENV_PROXY`. Requests to other hosts use the proxy. */
export function createDirectFetch(): typeof fetch {
  let agent: Agent | undefined
  return async (target, init) => {
    const { hostname } = new URL(target instanceof Request ? target.url : target)
    if (!LOOPBACK.test(hostname)) return fetch(target, init)
    const { default: undici } = await import('undici')
    agent ??= new undici.Agent()
    // The types of undici in Node are from another version.
    return fetch(target, { ...init, dispatcher: agent as never })
  }
}
