import { expect, test } from 'vitest'
import { readConfig } from '../../src/server/config.ts'

const levels = 'trace, debug, info, warn, error, fatal, silent'

test.each([
  [{ DATABASE_URL: 'foo' }, 'DATABASE_URL: must begin with postgres://'],
  [{ CONTROL_KEY: 'a key' }, 'CONTROL_KEY: must have at least 16 characters'],
  [{ PUBLIC_URL: 'foo?x' }, 'PUBLIC_URL: must be an address such as https://vendor.example'],
  [{ LOG_LEVEL: 'warning' }, `LOG_LEVEL=warning: must be one of ${levels} (did you mean warn?)`],
  [{ LOG_LEVEL: 'INFO' }, `LOG_LEVEL=INFO: must be one of ${levels} (did you mean info?)`],
  [{ SIMULATE: 'yes' }, 'SIMULATE=yes: must be one of 0, 1, true, false, on, off'],
])('the settings %o cause an error of one line', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(expect.objectContaining({ message, name: 'ConfigError' }))
})
