/** A put would give two records one value of a unique index. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** A private key that cannot be read, or that is not of the kind asked for. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** The engine behind a port cannot be reached; the documents' plugins answer it each in their way. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** There is no room for a write; reads go on. */
export class OutOfSpace extends Unavailable {}

/** The engine is there, and was too long about it. */
export class TookTooLong extends Unavailable {}

/** The world was deleted, reset or restored while a call ran in it; the documents' plugins answer it as not found. */
export class WorldEnded extends Error {
  override readonly name = 'WorldEnded'

  constructor(world?: string) {
    super(`the world ${world === undefined ? '' : `${world} `}was deleted or begun anew while the call ran`)
  }
}

/** Kept state that the server cannot go on with; the message says why, for the person who starts it. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}
