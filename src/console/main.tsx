import { render } from 'preact'
import { takeKey } from './address.ts'
import { App } from './app.tsx'
import { keepFocus, listenForClosing } from './closing.ts'
import { follow } from './feed.ts'

takeKey()
void follow()
listenForClosing()
keepFocus()
const root = document.getElementById('console')
if (root) render(<App />, root)
