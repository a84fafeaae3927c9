import { change } from '../live.ts'
import { linkTo } from '../route.ts'

/** A case file may be dropped on any view, so the listeners live as long as the page. */
export function listenForFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    change({ file })
    location.hash = linkTo('cases')
  })
}
