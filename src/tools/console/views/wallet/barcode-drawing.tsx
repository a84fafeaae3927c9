import { useEffect, useState } from 'preact/hooks'
import { Empty } from '../../parts/state.tsx'
import type { Barcode } from './barcodes.ts'

type Drawing = { svg: string } | { problem: string }

export function BarcodeDrawing({ barcode: { format, value } }: { barcode: Barcode }) {
  const [drawing, setDrawing] = useState<Drawing | undefined>()
  useEffect(() => {
    let left = false
    const show = async () => {
      const next = await draw(format, value)
      if (!left) setDrawing(next)
    }
    void show()
    return () => {
      left = true
    }
  }, [format, value])
  if (drawing === undefined) return null
  if ('problem' in drawing) return <Empty title={`Not drawn: ${drawing.problem}.`} />
  const address = `data:image/svg+xml,${encodeURIComponent(drawing.svg)}`
  return (
    <figure class="barcode">
      <img src={address} alt={`${format} of ${value}`} />
      <figcaption class="mono">{value}</figcaption>
    </figure>
  )
}

async function draw(format: string, value: string): Promise<Drawing> {
  try {
    const { drawSymbol } = await import('./barcode-symbols.ts')
    return { svg: drawSymbol(format, value) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
