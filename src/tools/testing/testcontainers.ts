import { randomUUID } from 'node:crypto'
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { connectVendorCloud, type VendorCloudWorld, type WorldOptions } from '../../index.ts'

const PORT = 8080

/** Further settings are given by `withEnvironment`. */
export class VendorCloudContainer extends GenericContainer {
  /** Default: `vendor-cloud`, which `docker build -t vendor-cloud .` creates. */
  constructor(image = 'vendor-cloud') {
    super(image)
    this.withExposedPorts(PORT).withWaitStrategy(Wait.forHttp('/health/ready', PORT))
  }

  /**
   * Resolves when the server is ready. Its published port is open to everybody, so the control API gets a key of its
   * own.
   */
  override async start(): Promise<StartedVendorCloudContainer> {
    if (this.environment['CONTROL_KEY'] === undefined) this.withEnvironment({ CONTROL_KEY: randomUUID() })
    const key = this.environment['CONTROL_KEY']
    return new StartedVendorCloudContainer(await super.start(), key)
  }
}

export class StartedVendorCloudContainer extends AbstractStartedContainer {
  readonly #controlKey: string | undefined

  constructor(container: StartedTestContainer, controlKey?: string) {
    super(container)
    this.#controlKey = controlKey
  }

  /** The client under test uses this address for the default world. */
  getUrl(): string {
    const host = this.getHost()
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(PORT)}`
  }

  /** Requests to the control API carry this key as `x-control-key`. */
  getControlKey(): string | undefined {
    return this.#controlKey
  }

  defaultWorld(): VendorCloudWorld {
    return connectVendorCloud(this.getUrl(), this.#controlKey)
  }

  /** Creates a world for one test; its `url` is the address for the client under test. */
  world(options?: WorldOptions): Promise<VendorCloudWorld> {
    return this.defaultWorld().world(options)
  }
}
