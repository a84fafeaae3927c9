import { render } from 'preact'
import { takeKey } from './address.ts'
import { App } from './app.tsx'
import { follow } from './feed.ts'

takeKey()
void follow()
const root = document.getElementById('console')
if (root) render(<App />, root)
