import { DomainError, notFound } from '../domain/errors.ts'
import type { Ports } from '../ports.ts'
import type { WorldPast, Worlds } from '../ports/worlds.ts'
import type { RecordedMoment } from '#contract/records/control/world.ts'
import { beginRecording, readPast, type Recording } from './recording.ts'

/** Each world has one recording at a time on this instance, and loses it when it ends. */
export class KeptRecordings {
  readonly #byWorld = new WeakMap<Ports, Recording>()
  readonly #worlds: Worlds

  constructor(worlds: Worlds) {
    this.#worlds = worlds
    worlds.onOpen((ports, before) => {
      const running = before && this.#byWorld.get(before)
      if (!running) return
      running.recorder.stop('the world was begun anew')
      this.#byWorld.set(ports, running)
    })
  }

  async begin(ports: Ports, about: { version: string; name: string | undefined }): Promise<Recording> {
    const recording = await beginRecording(this.#worlds, ports, about)
    this.#byWorld.set(ports, recording)
    return recording
  }

  has(ports: Ports): boolean {
    return this.#byWorld.has(ports)
  }

  require(ports: Ports): Recording {
    const recording = this.#byWorld.get(ports)
    if (!recording) throw notFound('nothing is recorded in this world', 'our choice: control-refusals')
    return recording
  }

  end(ports: Ports): void {
    this.require(ports).recorder.stop()
    this.#byWorld.delete(ports)
  }

  /** `target` names the place in the request for a refusal. */
  readPast(ports: Ports, moment: { at: RecordedMoment; target: string }): Promise<WorldPast & { step: number }> {
    const recording = this.#byWorld.get(ports)
    if (recording) return readPast(recording, ports, moment)
    const { name } = ports.world
    const others = this.#worlds.list().filter((each) => this.#byWorld.has(this.#worlds.find(each.name) ?? ports))
    const known = others.map((each) => each.name).slice(0, 20)
    const there = known.length > 0 ? `; those that are: ${known.join(', ')}` : ''
    throw new DomainError(
      'conflict',
      `the world ${name} is not recorded (POST /_control/recordings begins that)${there}`,
      { source: 'our choice: control-refusals' },
    )
  }
}
