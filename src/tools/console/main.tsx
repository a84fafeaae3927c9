import { render } from 'preact'
import { App } from './app.tsx'
import { listenForFiles } from './cases/dropped-file.ts'
import { keepFocus, listenForClosing } from './closing.ts'
import { follow } from './feed.ts'

void follow()
listenForClosing()
listenForFiles()
keepFocus()
const root = document.getElementById('console')
if (root) render(<App />, root)
