export function writeAddress(
  root: string,
  address: { repository: string; image: string; tag?: string; of?: string },
): void
