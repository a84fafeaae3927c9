import { streamOperations } from '#contract/control/streams.ts'
import { disturbStream, listStreams } from '../domain/events/streams.ts'
import { implementControl } from './context.ts'

export const streams = implementControl(streamOperations, {
  listStreams: async ({ ports }) => {
    const items = listStreams(ports)
    return { items, totalCount: items.length }
  },

  disturbStream: async ({ ports, params, body }) => disturbStream(ports, params.subscriptionId, body),
})
