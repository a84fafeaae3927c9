import type { CoverageCall, CoverageMiss } from '../../../../contract/records/control/coverage.ts'
import { api } from '../../address.ts'
import { Command } from '../../parts/code.tsx'
import { toCode } from '../requests/request-code.ts'

export function HowToMeet({ miss: { what, before = [], example } }: { miss: CoverageMiss }) {
  return <Command text={[...before, example].map(toCommand).join('\n')} label={`How to meet ${what}`} />
}

function toCommand({ method, path, headers, body }: CoverageCall): string {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return toCode('curl', { method, path, headers: Object.entries(headers), body: text, hasFile: false }, api.url)
}
