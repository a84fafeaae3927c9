import closeWithGrace from 'close-with-grace'
import { type Case, parseCase } from '#contract/files/case.ts'
import { type CasePoint, playPoints, toStepNumber } from '#tools/cases/player/case-points.ts'
import { cut } from '#tools/cases/player/replay-report.ts'
import { readConfig } from '#server/config.ts'
import { startServer } from '#server/server.ts'
import { type Target, withWorld } from '../client/client.ts'
import { type CommandOutput, exitCodes, readText, show, UsageError } from '../input-output.ts'
import { startCaseServer } from './start-case-server.ts'

interface Asked extends Target {
  until: string | undefined
  json: boolean | undefined
}

interface Kept {
  world: string
  url: string
  step: number
  steps: number
  /** First step whose outcome differs from the recording. From that step on, the state of the world may also differ. */
  differs?: number
}

export async function keepWorld(
  text: string,
  { until, json, ...target }: Asked,
  output: CommandOutput,
): Promise<number> {
  const file = parseCase(text)
  const isRunning = await findServer(target)
  const moment = await playTo(file, until)
  const { name, url } = await open(moment, target, isRunning)
  const { step, first } = moment
  const kept = { world: name, url, step, steps: file.steps.length, ...(first && { differs: first.step }) }
  show<Kept>(kept, json, output, describe)
  if (!first) return exitCodes.ok
  output.stderr.write(`step ${first.step} differs from the recording at ${cut(first.differences[0]!.path)}\n`)
  return exitCodes.findings
}

export async function readCaseFile(file: string) {
  const opened = parseCase(await readText(file))
  return {
    steps: opened.steps.length,
    playTo: (at: number | undefined) => playTo(opened, at === undefined ? undefined : String(at)),
  }
}

async function playTo(file: Case, at: string | undefined): Promise<CasePoint> {
  const [moment] = await playPoints(file, [toStepNumber(file.steps, at)], await startCaseServer(file.header))
  return moment!
}

const describe = ({ world, url, step, steps }: Kept) =>
  `World ${world} is in the state after step ${step} of ${steps} and its clock is paused: ${url}\n`

/** Called before the case is played. Returns false if a server can be started at the default address. */
async function findServer({ url, key }: Target): Promise<boolean> {
  try {
    await withWorld({ url, key }, (api) => api.worlds())
    return true
  } catch (error) {
    if (url !== undefined || (error as { code?: string }).code !== 'Unreachable') throw error
    return false
  }
}

async function open(moment: CasePoint, { world: name, ...server }: Target, isRunning: boolean) {
  const put = (target: Target) =>
    withWorld(target, async (api) => {
      const made = await api.world(name === undefined ? {} : { name })
      await made.restore(moment.snapshot)
      return { name: made.name, url: made.url }
    })
  if (isRunning) return put(server)
  const started = await startServer(readConfig())
  closeWithGrace({ delay: 10_000, logger: false }, () => started.close())
  return put({ url: started.url, key: server.key ?? started.controlKey })
}

/** These options select where the world is created, so they require `--keep`. */
export function refuseWithoutKeep({ url, key, world }: Target): void {
  const given = Object.entries({ url, key, world }).find(([, value]) => value !== undefined)
  if (given) throw new UsageError(`--${given[0]} requires --keep`)
}
