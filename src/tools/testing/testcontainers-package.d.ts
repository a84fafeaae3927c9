/**
 * Declares the part of testcontainers 11 and 12 that is used. The package is not a development dependency, because
 * installing it compiles native code. A test compiles the published types with the real types of the package.
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
