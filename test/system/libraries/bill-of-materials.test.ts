import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, test } from 'vitest'

const text = readFileSync(join(import.meta.dirname, '../../../dist/sbom.cdx.json'), 'utf8')

test('the bill of materials is a valid CycloneDX 1.6 document', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
  expect(await validator.validate(text)).toBeNull()
  expect(await validator.validate(text.replace('"MIT"', '"my own"'))).not.toBeNull()
})
