export const pageStyle = `:root { color-scheme: light dark; --paper: #fff; --bar: #f6f5f1; --ink: #1c2422; }
:root { --line: #dfddd5; --edge: #8b918c; --accent: #0b6a5b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #121615; --bar: #1a1f1d; --ink: #e7ebe8; --line: #303835; --edge: #77827d; --accent: #63cdb8; }
}
body, html.dark-mode body { margin: 0; background: var(--paper); color: var(--ink); }
body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body > nav { display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 10px 20px; }
body > nav { background: var(--bar); border-bottom: 1px solid var(--line); }
body > nav a, body > main a { color: var(--accent); }
body > nav a:first-child { font-weight: 700; text-decoration: none; }
body > nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
body > main { max-width: 900px; margin: 0 auto; padding: 8px 20px 40px; }
body > main pre { overflow-x: auto; padding: 10px 14px; border-radius: 6px; background: var(--bar); font-size: 13px; }
body > main button { padding: 5px 12px; border: 1px solid var(--edge); border-radius: 6px; font: inherit; }
body > main button { background: var(--paper); color: var(--ink); font-size: 14px; cursor: pointer; }
body > main table { display: block; overflow-x: auto; border-collapse: collapse; }
body > main :is(th, td) { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); }
body > main :is(th, td) { text-align: left; vertical-align: top; }
`

/** Fills in a token so that "Try it out" works. Swagger UI does not support the dark mode media query. */
export const startScript = `const ui = SwaggerUIBundle({
  dom_id: '#page',
  url: document.getElementById('page').dataset.file,
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  onComplete: () => ui.preauthorizeApiKey('bearer', 'token-home'),
})
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
`

/** Pages served over plain HTTP from another host have no clipboard access, so they get no button. */
export const copyScript = `for (const block of navigator.clipboard ? document.querySelectorAll('main pre') : []) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  block.after(button)
}
`
