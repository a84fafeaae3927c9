import { z } from 'zod'

const call = z.object({
  method: z.string().describe('Such as POST'),
  path: z.string().meta({ description: "With its query, without the world's prefix" }),
  headers: z.record(z.string(), z.string()).describe('Those that it needs'),
  body: z.unknown().optional().meta({ description: 'JSON; a text is sent as it is' }),
})
export type CoverageCall = z.infer<typeof call>

const miss = z.object({
  what: z.string().describe('Such as operation 30: 404'),
  before: z.array(call).optional().meta({ description: 'What has to be sent first; streams stay open' }),
  example: call.meta({ description: 'The request that would meet it' }),
  needs: z.string().optional().meta({ description: 'What a client has to find out, or do, for it' }),
})
export type CoverageMiss = z.infer<typeof miss>

export const coverageParts = ['statuses', 'parameters', 'rules', 'events', 'endings', 'soapCodes'] as const
export type CoveragePart = (typeof coverageParts)[number]

const counts = { met: z.int().describe('How many were met'), total: z.int().describe('How many there are') }

export const coverage = z.object({
  profile: z.string().optional().describe('Name of the profile that the world is bent by'),
  ...counts,
  percent: z.number().meta({ description: 'Of all parts, with one decimal, never rounded up', example: 41.7 }),
  parts: z
    .array(
      z.object({
        name: z.enum(coverageParts).meta({
          description:
            'statuses each operation declares; parameters, fields of bodies and their enumerated values, as they ' +
            'were sent; rules that refused, by their sources; types of events; ways a stream ended; error codes of ' +
            'SOAP',
        }),
        ...counts,
        seen: z.array(z.string()).meta({ description: 'What was met', example: ['operation 30: 200'] }),
        missing: z.array(miss).describe('What was not'),
      }),
    )
    .describe('Kind by kind'),
})
export type Coverage = z.infer<typeof coverage>
