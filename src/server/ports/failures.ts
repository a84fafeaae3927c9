export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation'
}

export class UnusableKey extends Error {
  override readonly name = 'UnusableKey'
}

/** Thrown if the engine cannot be reached. The document determines the error format. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
}

/** Thrown if a write fails because the disk is full. Reads still succeed. */
export class OutOfSpace extends Unavailable {}

/** Thrown if the engine can be reached but did not respond in time. */
export class TookTooLong extends Unavailable {}

export class TooManyJobs extends Error {
  override readonly name = 'TooManyJobs'
}

/** Thrown if the world was deleted, reset or restored during the call. The response then has status 404. */
export class WorldEnded extends Error {
  override readonly name = 'WorldEnded'

  constructor(world?: string) {
    super(`the world ${world === undefined ? '' : `${world} `}was deleted or reset during the call`)
  }
}

/** Thrown if the server cannot continue because of its stored state or its input. The message is for the operator. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState'
}
