/** Heavy jobs wait here for each other: replays, diffs, snapshots and HAR. Beyond a bound it throws `TooManyJobs`. */
export interface JobQueue {
  run<T>(job: () => Promise<T>): Promise<T>
  /** The job lasts until the texts end or their reader leaves. */
  stream(texts: AsyncIterable<string>): AsyncGenerator<string>
}
