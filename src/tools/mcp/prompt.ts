import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'

export function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'write-a-client',
    {
      title: 'Write a client',
      description: "Write or mend a client of the vendor's interfaces until it passes the examination",
      argsSchema: z.object({
        language: z.string().max(60).optional().describe('Such as Python'),
        interfaces: z.string().max(60).optional().describe('support, events, wallet, billing'),
      }),
    },
    ({ language = 'the language of this project', interfaces = 'support, events, wallet and billing' }) => ({
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: write(language, interfaces) } }],
    }),
  )
}

const write = (language: string, interfaces: string) => `\
Write a client in ${language} for these interfaces of the vendor: ${interfaces}. Work like this:

1. Read the resource vendor-cloud://operations for routes, callers and examples, and vendor-cloud://people for names to
   call as. The client reads its address from VENDOR_CLOUD_URL, and nothing else tells it that this is no real vendor.
2. Make a world with the tool world (action make, a seed, frozen true). Its url is the client's VENDOR_CLOUD_URL.
3. Begin a recording (case, action record). Try each operation with the tool call before you write it down in code.
4. When something is rejected, use explain with the entry's ID. Fix the client by the rule, not by one value: example
   is a call that succeeds, sentence is the rule for all calls.
5. Run the client, then look at journal with refused true, and at ignored, which names misspelt parameters. Check with
   verify that it sent what it should.
6. Disturb it: profiles flaky, lost-answers and gateway, variation with all kinds, chaos on its stream, time by P31D. A
   client must bear unknown fields, repeat what is safe to repeat, and come back to a stream with Last-Event-ID.
7. Grade it with examine (or vendor-cloud examine -- COMMAND) until no MUST fails. Save the case of each failure, and
   replay it after the mending.
`
