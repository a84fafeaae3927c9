import { z } from 'zod'

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
            'were sent; rules that rejected a request, by their sources; types of events; ways a stream ended; ' +
            'error codes of SOAP',
        }),
        ...counts,
        seen: z.array(z.string()).meta({ description: 'What was met', example: ['operation 30: 200'] }),
        missing: z.array(z.string()).meta({ description: 'What was not met', example: ['operation 30: 404'] }),
      }),
    )
    .describe('Kind by kind'),
})
export type Coverage = z.infer<typeof coverage>
