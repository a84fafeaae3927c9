import { api } from '../../address.ts'
import { Command } from '../../parts/code.tsx'
import { Empty } from '../../parts/state.tsx'

export function FirstRequest() {
  const command = `curl -H 'request-source: vendor.com' '${api.url}/stg/us/guest/zipCode?zipCode=07660'`
  return (
    <Empty title="Nobody has asked for anything yet.">
      <p>Requests of all three interfaces and the frames of event streams show here as they happen. Try one:</p>
      <Command text={command} label="A first request" />
    </Empty>
  )
}
