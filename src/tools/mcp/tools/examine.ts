import * as z from 'zod'
import type { Examination } from '#tools/client/types.ts'
import type { ExaminedClient } from '../context.ts'
import { ifPresent, ToolError } from '../errors.ts'
import { upTo } from '../fields.ts'
import { changing, defineTool, reading } from '../tool.ts'

const only = z.string().max(100).describe('support,events,wallet,billing').optional()

export const examineTool = defineTool({
  name: 'examine',
  title: 'Examine a client',
  description:
    'Grade a client against the specifications. read: last published report. list: all checks. run: start `command` ' +
    'once per scenario (minutes, only over stdio with --allow-run).',
  actions: {
    read: reading({}, async (world) => {
      const published = await ifPresent(world.examination.read())
      if (!published) throw new ToolError('no examination was published. Run npx --no vendor-cloud examine')
      return published
    }),
    list: reading({ only }, async (_, given, { examiner }) => ({ text: await examiner.list(given.only) })),
    run: changing(
      {
        command: z.array(z.string().max(4000)).max(100).describe('Program and arguments'),
        only,
        seed: z.string().max(128).optional(),
        timeout: upTo(3600).describe('Seconds').optional(),
      },
      async (world, given, { examiner }) => {
        if (!examiner.run) throw new ToolError('commands run only over stdio with --allow-run')
        const report = await examiner.run(given)
        // Published so that later sessions and the console can read the report.
        await world.examination.publish(toPublished(report)).catch(() => {})
        return report
      },
    ),
  },
})

function toPublished({ seed, grade, scenarios, checks }: ExaminedClient): Examination {
  return {
    seed,
    ...(grade && { grade }),
    scenarios: scenarios.map(({ name, problem }) => ({
      name,
      state: 'done',
      ...(problem !== undefined && { problem }),
    })),
    checks: checks.map(({ name, level, verdict, advice }) => ({ name, level, verdict, advice })),
  }
}
