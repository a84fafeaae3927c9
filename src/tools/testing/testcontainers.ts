import { randomUUID } from 'node:crypto'
import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { connectVendorCloud, type VendorCloudWorld, type WorldOptions } from '../../index.ts'

const PORT = 8080

/** Container of the server. Use `withEnvironment` for other settings. */
export class VendorCloudContainer extends GenericContainer {
  /** Name of the image. Default: `vendor-cloud`, which `docker build -t vendor-cloud .` creates. */
  constructor(image = 'vendor-cloud') {
    super(image)
    this.withExposedPorts(PORT).withWaitStrategy(Wait.forHttp('/health/ready', PORT))
  }

  /**
   * Starts the container and resolves when the server is ready. The published port is open to other machines, so the
   * control API gets a random key by default.
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

  /** Returns the URL of the default world, for the client under test. */
  getUrl(): string {
    const host = this.getHost()
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(PORT)}`
  }

  /** Returns the key that requests to the control API must send in the header `x-control-key`. */
  getControlKey(): string | undefined {
    return this.#controlKey
  }

  defaultWorld(): VendorCloudWorld {
    return connectVendorCloud(this.getUrl(), this.#controlKey)
  }

  /** Creates a world for one test. Its `url` is the address for the client under test. */
  world(options?: WorldOptions): Promise<VendorCloudWorld> {
    return this.defaultWorld().world(options)
  }
}
