import type { Agent } from 'undici'

const LOOPBACK = /^(?:(?:[^/]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** This machine is asked without the proxy of `NODE_USE_ENV_PROXY`, other hosts as the platform does. */
export function createDirectFetch(): typeof fetch {
  let agent: Agent | undefined
  return async (target, init) => {
    const { hostname } = new URL(target instanceof Request ? target.url : target)
    if (!LOOPBACK.test(hostname)) return fetch(target, init)
    const { default: undici } = await import('undici')
    agent ??= new undici.Agent()
    // The types of Node's own undici are those of another version.
    return fetch(target, { ...init, dispatcher: agent as never })
  }
}
