import { createMemoryStore } from '../../../../src/server/adapters/memory/store.ts'
import { describeStore } from './store.contract.ts'

describeStore('memory store', async () => createMemoryStore())
