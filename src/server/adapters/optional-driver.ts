import { UnusableState } from '../ports/failures.ts'

export class MissingDriver extends UnusableState {
  readonly driver: string

  constructor(driver: string, cause: unknown) {
    super(`the package ${driver} is not installed. Run npm i ${driver}`, { cause })
    this.driver = driver
  }
}

/** Drivers are optional packages. If the driver is missing, the error contains the command that installs it. */
export async function loadWithDriver<T>(driver: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
    if (!isMissing || !new RegExp(`'${driver}'`).test(message)) throw error
    throw new MissingDriver(driver, error)
  }
}
