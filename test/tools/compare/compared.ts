import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../../src/cli/run.ts'
import type { ComparisonReport } from '../../../src/contract/records/control/comparison.ts'
import { readConfig } from '../../../src/server/config.ts'
import { startServer } from '../../../src/server/server.ts'
import { call } from '../../system/acceptance/server.ts'
import { noon } from './changed-server.ts'

/** Runs `run` in a new world and records it as a case. With `choices`, the world has a profile that contains them. */
export async function record(run: (url: string) => Promise<unknown>, choices?: object): Promise<string> {
  const server = await startServer(readConfig({ PORT: '0', LOG_LEVEL: 'silent' }))
  try {
    const made = await call(`${server.url}/_control/worlds`, 'POST', {
      name: 'visit',
      seed: 'ours',
      ...noon,
      ...(choices && { profile: { profile: 'by-hand', choices } }),
    })
    if (made.status !== 200) throw new Error(made.text)
    const url = `${server.url}/w/visit`
    await call(`${url}/_control/recordings`, 'POST', { name: 'visit' })
    await run(url)
    return (await fetch(`${url}/_control/recordings/current`)).text()
  } finally {
    await server.close()
  }
}

export function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

export interface ComparedRun {
  code: number
  stdout: string
  stderr: string
  report: ComparisonReport
}

export async function compare(text: string, ...args: string[]): Promise<ComparedRun> {
  const folder = openFolder()
  const [file, out] = [join(folder, 'visit.jsonl'), join(folder, 'report.json')]
  writeFileSync(file, text)
  const [stdout, stderr] = [sink(), sink()]
  const code = await runCommand(['compare', file, '--format', 'json', '--out', out, ...args], { stdout, stderr })
  const report = code === 2 ? {} : JSON.parse(readFileSync(out, 'utf8'))
  return { code, stdout: stdout.text, stderr: stderr.text, report }
}

export const describe = ({ differences }: ComparisonReport) =>
  differences
    .map(({ operation, kind, place, explanation }) => `${operation} ${kind} ${place}: ${explanation}`)
    .toSorted()

function sink() {
  return {
    text: '',
    write(text: string) {
      this.text += text
    },
  }
}
