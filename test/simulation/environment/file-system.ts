/** Replaces `node:fs/promises` for the disk engine. The data directory exists and is empty. */
const missing = () => Promise.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }))

export const mkdir = async (): Promise<void> => {}
export const readdir = async (): Promise<string[]> => []
export const lstat = missing
export const statfs = async () => ({ bavail: 1_000_000, bsize: 4096 })
export const stat = async () => ({ isDirectory: () => true })
export const readFile = missing
export const open = async (_path: string, flags: string) => (flags === 'a' ? { close: async () => {} } : missing())
export const rm = missing
