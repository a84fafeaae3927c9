import type { Ports } from '#server/ports.ts'
import type { View } from '#server/ports/store.ts'
import { findPhoneNumber } from '#contract/records/formats.ts'
import type { InStoreDraft } from '#contract/records/in-store/in-store-request.ts'
import type { Profile } from '#contract/records/profile.ts'
import { type Finding, type FindingOrigin, finding, invalidInput } from '../errors.ts'

/** Document 1, section 4, rule 2 asks for a mobile number where the profile has none; else what is sent is ignored. */
export async function assertUsable(
  { zipCodes }: Ports,
  view: View,
  profile: Profile,
  draft: InStoreDraft,
): Promise<void> {
  const findings: Finding[] = []
  const ours = { source: 'our choice: in-store-references' } as const
  const add = (field: string, rule: string, from: FindingOrigin = ours) =>
    findings.push(finding(`body.${field}`, rule, from))
  if (profile.mobilePhone === undefined && findMobilePhone(draft) === undefined) {
    const source = 'document 1, section 4, rule 2'
    const missing = { code: 'MissingParameter', source } as const
    if ((draft.mobilePhone ?? '') !== '') add('mobilePhone', 'must be a phone number such as 201-555-0143')
    else add('mobilePhone', 'is required, since your profile has no mobile number', missing)
  }
  for (const [i, symptomId] of draft.symptoms.entries()) {
    const known = await view.inStoreSymptoms.get(symptomId)
    if (!known) add(`symptoms[${i}]`, 'is no symptom that GET /stg/us/instore/noauth/symptoms lists')
  }
  if (!zipCodes.find(draft.zipCode.slice(0, 5))) add('zipCode', 'is a zip code that is not in use')
  if (findings.length > 0) throw invalidInput(findings)
}

export function findMobilePhone({ mobilePhone }: InStoreDraft): string | undefined {
  return typeof mobilePhone === 'string' ? findPhoneNumber(mobilePhone) : undefined
}
