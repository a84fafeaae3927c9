import { AbstractStartedContainer, GenericContainer, type StartedTestContainer, Wait } from 'testcontainers'
import { connectVendorCloud, type VendorCloudWorld, type WorldOptions } from '../../index.ts'

/** On which the image listens. */
const PORT = 8080

/** A server in a container, for tests by Testcontainers; further settings by `withEnvironment`. */
export class VendorCloudContainer extends GenericContainer {
  /** The image, `vendor-cloud` unless told: what `docker build -t vendor-cloud .` makes. */
  constructor(image = 'vendor-cloud') {
    super(image)
    this.withExposedPorts(PORT).withWaitStrategy(Wait.forHttp('/health/ready', PORT))
  }

  /** Resolves when the server is ready. Its published port is everybody's, so the control API has a key of its own. */
  override async start(): Promise<StartedVendorCloudContainer> {
    if (this.environment['CONTROL_KEY'] === undefined) this.withEnvironment({ CONTROL_KEY: crypto.randomUUID() })
    const key = this.environment['CONTROL_KEY']
    return new StartedVendorCloudContainer(await super.start(), key)
  }
}

/** A server that runs in a container. */
export class StartedVendorCloudContainer extends AbstractStartedContainer {
  readonly #controlKey: string | undefined

  constructor(container: StartedTestContainer, controlKey?: string) {
    super(container)
    this.#controlKey = controlKey
  }

  /** The address for the client under test: of the default world, where no other is named. */
  getUrl(): string {
    const host = this.getHost()
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.getMappedPort(PORT)}`
  }

  /** Key of the control API, for `x-control-key`. */
  getControlKey(): string | undefined {
    return this.#controlKey
  }

  /** The default world, with the control calls. */
  defaultWorld(): VendorCloudWorld {
    return connectVendorCloud(this.getUrl(), this.#controlKey)
  }

  /** A world of its own, such as for one test; give its `url` to the client under test. */
  world(options?: WorldOptions): Promise<VendorCloudWorld> {
    return this.defaultWorld().world(options)
  }
}
