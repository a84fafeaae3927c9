import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus, listenForClosing } from './closing.ts'
import { follow } from './feed.ts'
import { change } from './live.ts'
import { linkTo } from './route.ts'

void follow()
listenForClosing()
listenForFiles()
keepFocus()
const root = document.getElementById('console')
if (root) render(<App />, root)

/** A case file may be dropped on any view, so the listeners live as long as the page. */
function listenForFiles(): void {
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    if (!file) return
    change({ file })
    location.hash = linkTo('cases')
  })
}
