import { useLayoutEffect, useState } from 'preact/hooks'
import { decodePercent } from '#contract/records/decoded-text.ts'

export interface Route {
  view: string
  id: string | undefined
  query: string
}

/** The URL contains the view and its filters, as in `#/requests/12?status=404`, so that it can be shared. */
export function useRoute(): Route {
  const [route, setRoute] = useState(readRoute)
  // `useEffect` would run only after the browser has painted, and miss a URL that changes before that.
  useLayoutEffect(() => {
    const read = () => setRoute(readRoute())
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return route
}

export function linkTo(view: string, id?: string | number, query = ''): string {
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${query === '' ? '' : `?${query}`}`
}

/** Replaces the history entry, so that Back leaves the view and does not undo each typed letter. */
export function replaceQuery(query: string): void {
  const { view, id } = readRoute()
  history.replaceState(null, '', linkTo(view, id, query))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

function readRoute(): Route {
  const [path = '', ...rest] = location.hash.split('?')
  const [, view, id] = path.split('/')
  return {
    view: view || 'overview',
    id: id === undefined || id === '' ? undefined : decodePercent(id),
    query: rest.join('?'),
  }
}
