import type { onRequestHookHandler } from 'fastify'
import { isVendorTraffic } from '#contract/control/vendor-traffic.ts'
import { notFound } from '../domain/errors.ts'
import { BASE_PATH } from '#contract/documents/base-path.ts'

/** A world's profile chooses which paths are document 1's. */
export const applyChosenForms: onRequestHookHandler = ({ ports, url, raw }, _, done) => {
  const { world } = ports
  if (!world.profile || !isVendorTraffic(url)) return done()
  const { 'base-path': base } = world.choices
  const given = raw.hasBasePath ? 'with' : 'without'
  if (base !== 'both' && base !== given && url.startsWith('/stg/us/')) {
    const [path] = url.split('?', 1)
    const nearest = base === 'with' ? `${BASE_PATH}${path}` : path
    throw notFound(`this path is unknown; the nearest path is ${nearest}`, 'our choice: base-path')
  }
  done()
}
