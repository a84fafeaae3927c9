import { escapeHtml } from '#server/domain/html.ts'
import { writeBlock, writeTable } from './page.ts'
import { describeStream } from '../openapi/asyncapi.ts'
import type { Message } from '../openapi/stream-messages.ts'

export function writeStreamPage(): string {
  const { info, channels, components } = describeStream()
  const { address, description, 'x-server-sent-events': framing } = channels.stream
  const rows = Object.entries(framing).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : []))
  return `<h1>Event stream</h1>
<p>${withCode(info.description)}</p>
<p><code>GET ${address}</code>. ${withCode(description)}</p>
<h2>Framing</h2>
${writeTable(['What', 'How'], rows)}
<h2>Events</h2>
${Object.entries(components.messages).map(writeMessage).join('\n')}`
}

function writeMessage([name, message]: [string, Message]): string {
  const description = 'description' in message ? message.description : ''
  const { headers, payload } = message.examples[0]!
  const data = typeof payload === 'string' ? payload : JSON.stringify(payload)
  return `<h3>${name}</h3>
<p>${escapeHtml(message.summary)}. ${escapeHtml(description)}</p>
${writeBlock(`event: ${headers.event}\ndata: ${data}\nid: ${headers.id}\n`)}`
}

function withCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>')
}
