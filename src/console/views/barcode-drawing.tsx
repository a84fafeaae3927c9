import createQrCode from 'qrcode-generator'
import { Empty } from '../parts/state.tsx'
import { type Barcode, drawLines, drawnFormats } from './barcodes.ts'

/** Modules of white that readers want around a drawing. */
const QUIET = 10
const QR_QUIET = 4
const HEIGHT = 56

export function BarcodeDrawing({ barcode }: { barcode: Barcode }) {
  const { format, value } = barcode
  const label = `${format} of ${value}`
  if (!drawnFormats.includes(format)) {
    return <Empty title={`${format} is checked and not drawn here; drawn are ${drawnFormats.join(', ')}.`} />
  }
  if (format === 'QR_CODE') return <QrCode value={value} label={label} />
  const modules = drawLines(barcode)
  if (!modules) return <Empty title={`${format} cannot hold this value.`} />
  const width = modules.length + 2 * QUIET
  return (
    <figure class="barcode">
      <svg viewBox={`0 0 ${width} ${HEIGHT + 8}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <rect width={width} height={HEIGHT + 8} fill="#fff" />
        <path d={toBars(modules)} fill="#000" />
      </svg>
      <figcaption class="mono">{value}</figcaption>
    </figure>
  )
}

function QrCode({ value, label }: { value: string; label: string }) {
  const rows = toRows(value)
  if (!rows) return <Empty title="A QR code cannot hold so much." />
  const size = rows.length + 2 * QR_QUIET
  const squares = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? `M${x + QR_QUIET} ${y + QR_QUIET}h1v1h-1z` : [])),
  )
  return (
    <figure class="barcode qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
        <rect width={size} height={size} fill="#fff" />
        <path d={squares.join('')} fill="#000" />
      </svg>
      <figcaption class="mono">{value}</figcaption>
    </figure>
  )
}

function toBars(modules: string): string {
  return [...modules.matchAll(/1+/g)]
    .map(({ index, 0: bar }) => `M${index + QUIET} 4h${bar.length}v${HEIGHT}h-${bar.length}z`)
    .join('')
}

/** Rows of modules, dark or light; nothing when the value is too long. */
function toRows(value: string): boolean[][] | undefined {
  try {
    const code = createQrCode(0, 'M')
    // One letter for each byte of UTF-8, which the library writes as bytes.
    code.addData(String.fromCharCode(...new TextEncoder().encode(value)), 'Byte')
    code.make()
    const places = Array.from({ length: code.getModuleCount() }, (_, place) => place)
    return places.map((y) => places.map((x) => code.isDark(y, x)))
  } catch {
    return undefined
  }
}
