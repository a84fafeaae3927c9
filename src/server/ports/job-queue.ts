/** For replays, diffs, snapshots and HAR archives. Throws `TooManyJobs` if too many are waiting. */
export interface JobQueue {
  run<T>(job: () => Promise<T>): Promise<T>
  /** The job ends when `texts` ends or when its reader stops reading. */
  stream(texts: AsyncIterable<string>): AsyncGenerator<string>
}
