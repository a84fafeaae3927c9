export interface Curve {
  title: string
  points: readonly { x: number; y: number }[]
  limit?: number | undefined
}

const [WIDTH, HEIGHT, LEFT, TOP, GAP] = [720, 110, 60, 30, 50]

export function plot(heading: string, unit: string, curves: readonly Curve[]): string {
  const panels = curves.map((curve, i) => panel(curve, TOP + 20 + i * (HEIGHT + GAP), unit))
  const size = { width: LEFT + WIDTH + 20, height: TOP + 20 + curves.length * (HEIGHT + GAP) }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="11">
<title>${heading}</title>
<rect width="100%" height="100%" fill="white"/>
<text x="${LEFT}" y="20" font-size="14">${heading}</text>
${panels.join('\n')}
</svg>
`
}

function panel({ title, points, limit }: Curve, top: number, unit: string): string {
  const most = niceAbove(Math.max(limit ?? 0, ...points.map(({ y }) => y)))
  const last = Math.max(1e-9, ...points.map(({ x }) => x))
  const at = ({ x, y }: { x: number; y: number }) =>
    `${(LEFT + (x / last) * WIDTH).toFixed(1)},${(top + HEIGHT - (y / most) * HEIGHT).toFixed(1)}`
  const level = (y: number, style: string) =>
    `<path d="M${at({ x: 0, y })} L${at({ x: last, y })}" fill="none" ${style}/>`
  const bottom = top + HEIGHT + 14
  return `<text x="${LEFT}" y="${top - 6}">${title}</text>
${[0, most / 2, most].map((y) => `${level(y, 'stroke="#ddd"')}<text x="${LEFT - 6}" y="${top + HEIGHT - (y / most) * HEIGHT + 4}" text-anchor="end">${y}</text>`).join('\n')}
${limit === undefined ? '' : level(limit, 'stroke="#c00" stroke-dasharray="4 3"')}
<polyline points="${points.map(at).join(' ')}" fill="none" stroke="#06c" stroke-width="1.3"/>
<text x="${LEFT}" y="${bottom}">0</text><text x="${LEFT + WIDTH}" y="${bottom}" text-anchor="end">${last.toFixed(0)} ${unit}</text>`
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= value)!
}
