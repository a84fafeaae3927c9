import type { CaseReply, CaseStep } from '../records/control/case.ts'
import { saysWhoCalls, soundsSecret } from '../records/secret-names.ts'
import { mapHeaders } from './traffic-secrets.ts'

/**
 * Finds what headers tell of passwords, keys and cookies, whatever the scheme. A cookie whose name tells of no secret
 * may hold a plain word, so `isPlain` says that it is secret in its header alone.
 */
export function mapCredentials<S extends CaseStep>(step: S, change: (secret: string, isPlain: boolean) => string): S {
  if (!('reply' in step)) return step
  const map = <T extends Pick<CaseReply, 'headers'>>(message: T): T => {
    if (!message.headers) return message
    const headers = mapHeaders(message.headers, (secret, name) =>
      saysWhoCalls(name) ? secret : change(secret, !soundsSecret(name)),
    )
    return { ...message, headers }
  }
  const reply = map(step.reply)
  if ('control' in step) return { ...step, control: map(step.control), reply }
  return { ...step, call: map(step.call), reply }
}
