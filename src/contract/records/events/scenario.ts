import * as z from 'zod'
import { deviceId, healthStatus } from './device.ts'
import { deviceChange, hasTarget, lifecycleChange, withoutTarget } from './device-change.ts'
import { instant } from '../formats.ts'

const MOST_STEPS = 1000
const MOST_PLAYS = 100_000
/** Minimum length of a scenario that repeats, in milliseconds. If the length were 0, the clock could never advance. */
const SHORTEST_PLAY = 100

const scenarioStep = z
  .strictObject({
    afterMs: z.int().min(0).max(31_536_000_000).describe('Delay after the previous step in milliseconds (world clock)'),
    deviceId,
    ...deviceChange.partial({ capability: true, attribute: true, value: true }).shape,
    component: deviceChange.shape.component.unwrap().optional().describe('Component of the device. Default: main.'),
    status: healthStatus.optional().describe('New health status, in a step without a capability.'),
    reason: z.string().max(100).optional().describe('Reason for the health status'),
    lifecycle: lifecycleChange.shape.lifecycle
      .optional()
      .describe('Lifecycle change. Only for a step without `capability`.'),
    roomIdTo: lifecycleChange.shape.roomIdTo,
  })
  .refine(({ capability, attribute }) => (capability === undefined) === (attribute === undefined), {
    path: ['attribute'],
    message: 'requires capability',
  })
  .refine((step) => step.capability === undefined || step.value !== undefined, {
    path: ['value'],
    message: 'is required',
  })
  .refine((step) => [step.capability, step.status, step.lifecycle].filter((each) => each !== undefined).length === 1, {
    path: ['capability'],
    message: 'is required, unless status or lifecycle is set',
  })
  .refine(hasTarget, withoutTarget)
export type ScenarioStep = z.infer<typeof scenarioStep>

const steps = z.array(scenarioStep).min(1).max(MOST_STEPS).meta({ choice: 'scenarios' })
const repeat = z
  .union([z.literal(true), z.int().min(1).max(MOST_PLAYS)], `must be true, or a number of runs from 1 to ${MOST_PLAYS}`)
  .describe('Number of runs, or true to repeat until the scenario is deleted. Default: 1.')

export const scenarioDraft = z
  .strictObject({ steps, repeat: repeat.default(1) })
  .refine(
    (draft) => draft.repeat === 1 || draft.steps.reduce((sum, { afterMs }) => sum + afterMs, 0) >= SHORTEST_PLAY,
    {
      path: ['steps'],
      message: `must take at least ${SHORTEST_PLAY} ms in total in a scenario that repeats`,
      params: { source: 'our choice: scenarios' },
    },
  )
export type ScenarioDraft = z.infer<typeof scenarioDraft>
export type ScenarioInput = z.input<typeof scenarioDraft>

export const scenario = z.object({
  scenarioId: z.string().describe('ID of the scenario'),
  steps,
  repeat,
  plays: z.int().min(0).describe('Number of completed runs'),
  nextStep: z.int().min(0).describe('Index of the next step, starting at 0'),
  nextAt: instant.describe('Due time of the next step (world clock)'),
})
export type Scenario = Readonly<z.infer<typeof scenario>>
