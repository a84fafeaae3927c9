import * as z from 'zod'
import { deviceId, healthStatus } from './device.ts'
import { deviceChange, lifecycleChange } from './device-change.ts'
import { instant } from '../formats.ts'

/** All steps may happen in one advance of the clock, so their number is bounded. */
const MOST_STEPS = 1000
const MOST_PLAYS = 100_000
/** A repeating scenario without length would stop the clock for ever. */
const SHORTEST_PLAY = 100

const scenarioStep = z
  .strictObject({
    afterMs: z.int().min(0).max(31_536_000_000).meta({ description: "After the step before, by the world's clock" }),
    deviceId,
    ...deviceChange.partial({ capability: true, attribute: true, value: true }).shape,
    component: deviceChange.shape.component.unwrap().optional().describe('main unless told'),
    status: healthStatus.optional().meta({ description: 'Instead of a capability: the health' }),
    reason: z.string().max(100).optional().describe('Why, of a health'),
    lifecycle: lifecycleChange.shape.lifecycle
      .optional()
      .meta({ description: 'Instead of a capability: the lifecycle' }),
    roomIdTo: lifecycleChange.shape.roomIdTo,
  })
  .refine(({ capability, attribute }) => (capability === undefined) === (attribute === undefined), {
    path: ['attribute'],
    message: 'goes with capability',
  })
  .refine((step) => step.capability === undefined || step.value !== undefined, {
    path: ['value'],
    message: 'is required',
  })
  .refine((step) => [step.capability, step.status, step.lifecycle].filter((each) => each !== undefined).length === 1, {
    path: ['capability'],
    message: 'is needed, or else one of status and lifecycle',
  })
export type ScenarioStep = z.infer<typeof scenarioStep>

const steps = z.array(scenarioStep).min(1).max(MOST_STEPS).meta({ choice: 'scenarios' })
const repeat = z
  .union([z.literal(true), z.int().min(1).max(MOST_PLAYS)], `must be true, or how often it plays, 1 to ${MOST_PLAYS}`)
  .meta({ description: 'Plays in all, or true until it is deleted; once when left out' })

export const scenarioDraft = z
  .strictObject({ steps, repeat: repeat.default(1) })
  .refine(
    (draft) => draft.repeat === 1 || draft.steps.reduce((sum, { afterMs }) => sum + afterMs, 0) >= SHORTEST_PLAY,
    {
      path: ['steps'],
      message: `must take at least ${SHORTEST_PLAY} ms together in a scenario that repeats`,
      params: { source: 'our choice: scenarios' },
    },
  )
export type ScenarioDraft = z.infer<typeof scenarioDraft>
export type ScenarioInput = z.input<typeof scenarioDraft>

/** A scenario that is over is forgotten. */
export const scenario = z.object({
  scenarioId: z.string().describe('Names it to remove it'),
  steps,
  repeat,
  plays: z.int().min(0).meta({ description: 'Whole plays so far' }),
  nextStep: z.int().min(0).meta({ description: 'From 0' }),
  nextAt: instant.meta({ description: "When it is due, by the world's clock" }),
})
export type Scenario = Readonly<z.infer<typeof scenario>>
