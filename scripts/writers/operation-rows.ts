import { toTemplate } from '../../src/server/http/openapi/routes.ts'
import { scopes } from '../../src/server/support/plugin.ts'

const callers = { users: 'user', dealers: 'dealer', guests: 'guest', anonymous: 'anyone' } as const

export function writeOperationRows(): string[] {
  const declared = (Object.keys(callers) as (keyof typeof callers)[]).flatMap((scope) =>
    scopes[scope].operations.map(({ operation, route, summary }) => {
      const [method, path = ''] = route.split(' ')
      const row = `| ${operation} | ${method} | \`${toTemplate(path)}\` | ${callers[scope]} | ${summary} |`
      return { number: Number(operation), row }
    }),
  )
  return declared.toSorted((a, b) => a.number - b.number).map(({ row }) => row)
}
