import * as z from 'zod'

export const variationKinds = [
  'json-order',
  'json-extra',
  'json-space',
  'json-escape',
  'json-null',
  'json-enum',
  'http-case',
  'http-chunked',
  'http-slow',
  'http-created',
  'http-gzip',
  'sse-line-ends',
  'sse-comments',
  'sse-data-lines',
  'sse-space',
  'sse-bom',
  'sse-cuts',
  'sse-retry',
  'sse-event',
  'soap-prefix',
  'soap-default-namespace',
  'soap-cdata',
  'soap-references',
  'soap-space',
  'soap-quotes',
  'soap-extra',
  'soap-missing',
] as const
export type VariationKind = (typeof variationKinds)[number]

const kind = z.enum(variationKinds)

export const variationDraft = z.strictObject({
  seed: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Seed of the variation. Default: the seed of the world, or the name of a world without a seed. The ' +
        'variation of a response depends on this seed and on how many responses came before it.',
    ),
  kinds: z
    .array(kind)
    .max(100)
    .optional()
    .meta({
      description:
        'Kinds of variation. Default: all. If one kind is selected, every response in which it is possible has it. ' +
        'If several kinds are selected, each response has some of them. JSON: order of keys, additional fields, ' +
        'white space, escaped characters, null or absent fields, unknown values of enumerations that may grow. ' +
        'HTTP: case of header names, chunked encoding, slow first byte, 201 where it is declared, gzip if accepted. ' +
        'SSE: line endings, comments, several data lines, no space after the colon, byte order mark, chunks that ' +
        'may be split at any byte, another retry time, unrequested event types. SOAP: other prefixes, default ' +
        'namespace, CDATA, character references, white space between elements, single quotes, additional elements, ' +
        'missing optional elements.',
      example: ['json-order', 'json-extra'],
    }),
})
export type VariationDraft = z.input<typeof variationDraft>

export function toVariation(
  { seed, kinds = [] }: VariationDraft,
  world: { name: string; seed?: string | undefined },
): Variation {
  return {
    seed: seed ?? world.seed ?? world.name,
    kinds: kinds.length > 0 ? variationKinds.filter((kind) => kinds.includes(kind)) : [...variationKinds],
  }
}

export const variation = z.object({
  seed: z.string().describe('Seed of the variation'),
  kinds: z.array(z.enum(variationKinds)).describe('Kinds of variation that are applied'),
})
export type Variation = z.infer<typeof variation>
