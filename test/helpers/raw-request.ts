import { connect } from 'node:net'
import { once } from 'node:events'

export async function sendRaw(address: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  // Unlike `once` of node:events, this does not reject when the server resets the connection.
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

export function readReply(text: string): { status: number; body: unknown } {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const json = rest.join('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: json.startsWith('{') ? JSON.parse(json) : undefined }
}
