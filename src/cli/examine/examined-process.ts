import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { describeProgramFailure } from '#contract/failures.ts'
import type { RunningClient } from '#tools/examine/examination.ts'
import { type Load, OwnTime } from '#tools/examine/own-time.ts'
import type { Ending } from '#tools/examine/session.ts'

/** Milliseconds that the client may run after SIGTERM before it is killed. */
const GRACE = 2000
const LOOK = 50
/** Milliseconds per clock tick. On Linux, /proc always counts in hundredths of a second. */
const TICK = 10
const hasGroups = process.platform !== 'win32'

/** The client runs in its own process group, so that all of its processes can be stopped. */
export function launchProcess(program: string, words: readonly string[], env: NodeJS.ProcessEnv): RunningClient {
  // The output of the client must not mix with the report, so it goes to standard error.
  const child = spawn(program, words, { stdio: ['ignore', 2, 2], env, detached: hasGroups })
  let isAsked = false
  let wasKilled = false
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', (error) => resolve({ code: 127, failure: describeProgramFailure(error) }))
    child.once('exit', (code, signal) => {
      // The client may have exited before SIGKILL was sent, so the signal that ended it is checked.
      wasKilled = isAsked && signal === 'SIGKILL'
      resolve(isAsked ? { code: 0 } : { code: code ?? undefined, ...(signal && { signal }) })
    })
  })
  const load = () => readLoad(child.pid)
  return {
    ended,
    load,
    async stop() {
      isAsked = true
      signalGroup(child, 'SIGTERM')
      const time = new OwnTime(load)
      // If a poll is delayed, only one interval of waiting time counts.
      for (let had = 0; !(await Promise.race([ended, wait(LOOK)])); ) {
        had += time.lap(LOOK)
        if (had >= GRACE) signalGroup(child, 'SIGKILL')
      }
      signalGroup(child, 'SIGKILL')
      return !wasKilled
    },
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(hasGroups ? -pid : pid, signal)
  } catch {
    // The process group has already ended.
  }
}

/** A process wants a processor if one of its threads runs, or waits for a processor or a disk. */
function readLoad(pid: number | undefined): Load | undefined {
  if (process.platform !== 'linux' || pid === undefined) return undefined
  const fields = readStat(`/proc/${pid}`)
  if (!fields) return undefined
  // These fields contain the user and system time of the process and of children that have already been waited for.
  let used = fields.slice(11, 15).reduce((ticks, each) => ticks + Number(each), 0) * TICK
  let wantsProcessor = false
  for (const thread of listThreads(pid)) {
    wantsProcessor ||= /^[RD]$/.test(readStat(thread)?.[0] ?? '')
    for (const child of listChildren(thread)) {
      const load = readLoad(child)
      used += load?.used ?? 0
      wantsProcessor ||= load?.wantsProcessor === true
    }
  }
  return { used, wantsProcessor }
}

/** The second field is a name that may contain any characters, so parsing starts after it. */
function readStat(folder: string): string[] | undefined {
  const text = readIfThere(`${folder}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

function listChildren(thread: string): number[] {
  return readIfThere(`${thread}/children`)?.match(/\d+/g)?.map(Number) ?? []
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
