import { createHash } from 'node:crypto'
import type { CaseView } from './case-view.ts'

export interface PageParts {
  script: string
  style: string
}

/** Works offline. Its policy allows only its own script and style, by digest. `step` is open at first. */
export function writeCasePage(view: CaseView, { script, style }: PageParts, step?: number): string {
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]
  const data = toData({ ...view, ...(step !== undefined && { opened: step }) })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>A case of vendor-cloud</title>
<style>${style}</style>
</head>
<body>
<div id="case"></div>
<noscript><p>This page needs JavaScript to show the case that it holds. It loads nothing.</p></noscript>
<script type="application/json" id="data">${data}</script>
<script type="module">${script}</script>
</body>
</html>
`
}

/** Prevents the JSON from ending the script element or opening another one. */
function toData(value: unknown): string {
  return JSON.stringify(value).replace(/<(?=\/?script|!--)/gi, '\\u003c')
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
