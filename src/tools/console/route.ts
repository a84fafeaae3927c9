import { useLayoutEffect, useState } from 'preact/hooks'
import { decode } from './address.ts'

export interface Route {
  view: string
  /** What is opened in the view. */
  id: string | undefined
}

/** `#/requests/12`: the address says what is looked at, so that it can be kept and sent. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  // An effect would wait for the browser to paint, and miss an address that is changed before.
  useLayoutEffect(() => {
    const read = () => setRoute(readRoute())
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return route
}

export function linkTo(view: string, id?: string | number): string {
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

function readRoute(): Route {
  const [, view, id] = location.hash.split('/')
  return { view: view || 'overview', id: id === undefined || id === '' ? undefined : decode(id) }
}
