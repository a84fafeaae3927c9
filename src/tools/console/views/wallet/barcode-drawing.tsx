import createQrCode from 'qrcode-generator'
import { Empty } from '../../parts/state.tsx'
import { type Barcode, drawLines, drawnFormats } from './barcodes.ts'

/** Modules of white that readers want around a drawing. */
const QUIET = 10
const QR_QUIET = 4
const HEIGHT = 56
/** The capacity of the largest QR code of level M, in bytes. */
const MOST_BYTES = 2331

export function BarcodeDrawing({ barcode }: { barcode: Barcode }) {
  const { format, value } = barcode
  if (!drawnFormats.includes(format)) {
    return <Empty title={`${format} is checked and not drawn here; drawn are ${drawnFormats.join(', ')}.`} />
  }
  const isQr = format === 'QR_CODE'
  const drawing = isQr ? drawQrCode(value) : drawBars(barcode)
  if (!drawing) return <Empty title={isQr ? 'A QR code cannot hold so much.' : `${format} cannot hold this value.`} />
  const { width, height, path } = drawing
  return (
    <figure class={isQr ? 'barcode qr' : 'barcode'}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`${format} of ${value}`}
        shape-rendering="crispEdges"
      >
        <rect width={width} height={height} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <figcaption class="mono">{value}</figcaption>
    </figure>
  )
}

interface Drawing {
  width: number
  height: number
  path: string
}

function drawBars(barcode: Barcode): Drawing | undefined {
  const modules = drawLines(barcode)
  if (!modules) return undefined
  const bars = [...modules.matchAll(/1+/g)].map(
    ({ index, 0: bar }) => `M${index + QUIET} 4h${bar.length}v${HEIGHT}h-${bar.length}z`,
  )
  return { width: modules.length + 2 * QUIET, height: HEIGHT + 8, path: bars.join('') }
}

/** Nothing when the value is too long. */
function drawQrCode(value: string): Drawing | undefined {
  const bytes = new TextEncoder().encode(value)
  if (bytes.length > MOST_BYTES) return undefined
  const code = createQrCode(0, 'M')
  // One letter for each byte of UTF-8, which the library writes as bytes.
  code.addData(String.fromCharCode(...bytes), 'Byte')
  code.make()
  const count = code.getModuleCount()
  const places = Array.from({ length: count }, (_, place) => place + QR_QUIET)
  const squares = places.flatMap((y) =>
    places.map((x) => (code.isDark(y - QR_QUIET, x - QR_QUIET) ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return { width: count + 2 * QR_QUIET, height: count + 2 * QR_QUIET, path: squares.join('') }
}
