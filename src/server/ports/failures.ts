/** Two records would have one value of a unique index. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

/** The key cannot be read, or is of another kind. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** The engine cannot be reached; each document answers it in its own way. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** Writes fail for lack of space, while reads continue. */
export class OutOfSpace extends Unavailable {}

/** The engine is there but took too long. */
export class TookTooLong extends Unavailable {}

/** Too many heavy jobs wait already. */
export class TooManyJobs extends Error {
  override readonly name = 'TooManyJobs'
}

/** The world was deleted, reset or restored during the call, which is then answered as not found. */
export class WorldEnded extends Error {
  override readonly name = 'WorldEnded'

  constructor(world?: string) {
    super(`the world ${world === undefined ? '' : `${world} `}was deleted or reset during the call`)
  }
}

/** The server cannot continue with this state. The message tells the operator why. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}
