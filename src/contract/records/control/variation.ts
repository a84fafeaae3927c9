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
  seed: z.string().max(200).optional().meta({
    description:
      "What the variation is a function of, with the number of the reply; the world's seed or name unless told",
  }),
  kinds: z
    .array(kind)
    .max(100)
    .optional()
    .meta({
      description:
        'One: each reply that can bear it does. Several: each reply bears some of them. None: all of them. ' +
        'JSON: order of keys, unknown further fields, white space, escaped characters, null for an absent field and ' +
        'absence for a null one, values that no client can know yet where no document closes them. HTTP: case of ' +
        'header names, chunks, a slow first byte, 201 where a document declares it too, gzip for who accepts it. ' +
        'SSE: line ends, comments, several data lines, no space behind the colon, a byte order mark, cuts at any ' +
        'byte, another retry, events of a type that no filter names. SOAP: other prefixes, a default namespace, ' +
        'CDATA, character references, white space between elements, single quotes, further elements, optional ones left out',
      example: ['json-order', 'json-extra'],
    }),
})
export type VariationDraft = z.input<typeof variationDraft>

/** The order is the draft's; without names all kinds count. */
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
  seed: z.string().describe('What it is a function of'),
  kinds: z.array(z.enum(variationKinds)).describe('What varies'),
})
export type Variation = z.infer<typeof variation>
