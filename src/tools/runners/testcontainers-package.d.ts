/**
 * Of testcontainers 11 and 12 what is used here. The package itself is no dependency of development: it compiles
 * programs when it is installed. A test compiles the published types with its own.
 */
declare module 'testcontainers' {
  interface WaitStrategy {
    withStartupTimeout(startupTimeoutMs: number): unknown
  }

  export const Wait: { forHttp(path: string, port: number): WaitStrategy }

  export interface StartedTestContainer {
    getHost(): string
    getMappedPort(port: number): number
  }

  export class GenericContainer {
    protected environment: Record<string, string>
    constructor(image: string)
    start(): Promise<StartedTestContainer>
    withEnvironment(environment: Record<string, string>): this
    withExposedPorts(...ports: number[]): this
    withWaitStrategy(waitStrategy: WaitStrategy): this
  }

  export class AbstractStartedContainer implements StartedTestContainer {
    constructor(startedTestContainer: StartedTestContainer)
    getHost(): string
    getMappedPort(port: number): number
  }
}
