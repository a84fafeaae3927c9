import { UnusableState } from '../ports/failures.ts'

/** Loads a room whose driver is a package that is installed beside the program only where it is wanted. */
export async function loadWithDriver<T>(driver: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND'
    if (!isMissing || !new RegExp(`'${driver}'`).test(message)) throw error
    throw new UnusableState(`the package ${driver} is not installed; install it with: npm i ${driver}`, {
      cause: error,
    })
  }
}
