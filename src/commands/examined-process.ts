import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import type { RunningClient } from '../examine/examination.ts'
import type { Ending } from '../examine/stage.ts'

/** Milliseconds of its own that a client has to end when it is asked to. */
const GRACE = 2000
/** Milliseconds between two looks at what it does meanwhile. */
const LOOK = 50
/** Of /proc: hundredths of a second, on every Linux. */
const TICK = 10
const hasGroups = process.platform !== 'win32'

/** A command as a client: a group of processes, so that none of them is left. */
export function launchProcess(program: string, words: readonly string[], env: NodeJS.ProcessEnv): RunningClient {
  // Its output is not the report's.
  const child = spawn(program, words, { stdio: ['ignore', 2, 2], env, detached: hasGroups })
  let isAsked = false
  let wasKilled = false
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', () => resolve({ code: 127 }))
    child.once('exit', (code, signal) => {
      // It may have ended in time where this process heard of it late.
      wasKilled = isAsked && signal === 'SIGKILL'
      resolve(isAsked ? { code: 0 } : { code: code ?? undefined, ...(signal && { signal }) })
    })
  })
  return {
    ended,
    async stop() {
      isAsked = true
      signalGroup(child, 'SIGTERM')
      const begun = readGroup(child.pid)?.used ?? 0
      let waited = 0
      while (!(await Promise.race([ended, wait(LOOK)]))) {
        const group = readGroup(child.pid)
        // Who wants a processor and gets none loses no time; a look that comes late counts as one.
        if (!group?.wantsProcessor) waited += LOOK
        if (waited + (group ? group.used - begun : 0) >= GRACE) signalGroup(child, 'SIGKILL')
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
    // Nobody is left in it.
  }
}

/**
 * What the processes of a group have used of the processors, in milliseconds, and whether one of them runs, waits for a
 * processor or for a disk. Nothing where the system does not tell.
 */
function readGroup(leader: number | undefined): { used: number; wantsProcessor: boolean } | undefined {
  if (process.platform !== 'linux' || leader === undefined) return undefined
  let ticks = 0
  let wantsProcessor = false
  try {
    for (const name of readdirSync('/proc')) {
      const fields = /^\d+$/.test(name) ? readStat(name) : undefined
      if (Number(fields?.[2]) !== leader) continue
      wantsProcessor ||= fields![0] === 'R' || fields![0] === 'D'
      // Of itself and of children that it has waited for, in user and system mode.
      for (const used of fields!.slice(11, 15)) ticks += Number(used)
    }
  } catch {
    return undefined
  }
  return { used: ticks * TICK, wantsProcessor }
}

/** From the third field on; the second, the name, may hold anything. */
function readStat(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    // It has ended meanwhile.
    return undefined
  }
}
