/**
 * What a page of a company's tickets (operation 19, 20 of them, newest first) costs with 1,000, 100,000 and 1,000,000
 * tickets in the store: CPU a request over HTTP. At most 1.3 of what it costs with 1,000, stretch 1.1.
 * Run: npx tsx bench/lists.ts
 */
import { createMemoryStore, toTable } from '../src/adapters/memory-store.ts'
import { newTicket } from '../test/helpers/records.ts'
