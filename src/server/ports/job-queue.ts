/**
 * Queue for heavy jobs: replays, diffs, snapshots and HAR archives. If too many jobs are waiting, it throws
 * `TooManyJobs`.
 */
export interface JobQueue {
  run<T>(job: () => Promise<T>): Promise<T>
  /** The job ends when `texts` ends or its reader stops. */
  stream(texts: AsyncIterable<string>): AsyncGenerator<string>
}
