import { runCommand } from '../../../src/cli/run.ts'
import type { DocumentName } from '../../../src/tools/examine/check.ts'
import type { ExaminationReport } from '../../../src/tools/examine/examination.ts'

/** Runs `vendor-cloud examine` with a command and returns the report. Ignores the output of the command. */
export async function examineCommand(
  document: DocumentName,
  command: readonly string[],
  ...options: string[]
): Promise<ExaminationReport> {
  const written = { stdout: '', stderr: '' }
  const sink = (name: keyof typeof written) => ({ write: (text: string) => (written[name] += text) })
  const args = ['examine', '--only', document, '--seed', 'clients', '--format', 'json', ...options, '--']
  const quiet = ['sh', '-c', 'exec "$@" >/dev/null', 'sh', ...command]
  await runCommand([...args, ...quiet], { stdout: sink('stdout'), stderr: sink('stderr') })
  return JSON.parse(written.stdout) as ExaminationReport
}
