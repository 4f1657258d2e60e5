import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { refusalOf } from './s3-signature.ts'
import { SoundStore } from './s3-store.ts'

export const S3_BUCKET = 'docent'
/** The only pair that s3rver knows. */
const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

type Intercept = (request: http.IncomingMessage, response: http.ServerResponse) => boolean

export interface S3Server {
  endpoint: string
  /** Environment variables of a server that uses it. @param prefix keeps those apart that share the bucket */
  settings(prefix?: string): Record<string, string>
  /** Uploads in parts that were begun and neither ended nor aborted. */
  unfinishedUploads(): Promise<{ key: string; uploadId: string; begunAt: Date }[]>
  /** Every key of the bucket that begins so. */
  keys(prefix?: string): Promise<string[]>
  /** Takes away all below a folder, as an operator would. */
  removeFolder(prefix: string): Promise<void>
  /** Changes what it does with requests from now on: answers itself, or lets them through. */
  intercept(by: Intercept): void
  close(): Promise<void>
}

/**
 * An S3 server on a free port, its data in a temporary folder. s3rver does the most of it; what it lacks and real
 * servers have is here: lists continue for several pages, signatures are checked, `If-None-Match: *` is honoured,
 * uploads in parts can be listed and aborted.
 */
export async function startS3Server({
  port = 0,
  largestPage = 1000,
  honoursConditions = true,
} = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'docent-s3-'))
  const store = new SoundStore(directory, largestPage)
  await store.putBucket(S3_BUCKET)
  const s3rver = new S3rver({ directory, silent: true, vhostBuckets: false })
  s3rver.store = store
  s3rver.context.store = store
  const serve = s3rver.callback()
  const writing = new Map<string, Promise<unknown>>()
  let intercept: Intercept = () => false

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const refusal = refusalOf(request, KEYS)
    if (refusal) return refuse(request, response, 403, refusal)
    const { pathname, searchParams } = new URL(request.url!, 'http://s3')
    const [bucket = '', ...rest] = decodeURIComponent(pathname).slice(1).split('/')
    const key = rest.join('/')
    const uploadId = searchParams.get('uploadId')
    if (uploadId !== null) {
      const path = store.uploadPath(bucket, uploadId)
      if (!(await stat(path).catch(() => false))) return refuse(request, response, 404, 'NoSuchUpload')
      if (request.method === 'DELETE') {
        await rm(path, { recursive: true })
        return void response.writeHead(204).end()
      }
    }
    if (request.method === 'GET' && key === '' && searchParams.has('uploads')) {
      return sendXml(response, uploadsXml(await listUploads(bucket, searchParams.get('prefix') ?? '')))
    }
    if (request.method === 'GET' && key === '' && searchParams.get('list-type') === '2') {
      if (!(await stat(store.getBucketPath(bucket)).catch(() => false)))
        return refuse(request, response, 404, 'NoSuchBucket')
      const of = (name: string) => searchParams.get(name) ?? undefined
      const maxKeys = Number(of('max-keys') ?? 1000)
      const startAfter = of('continuation-token') ?? of('start-after')
      const found = { prefix: of('prefix'), delimiter: of('delimiter'), startAfter, maxKeys }
      return sendXml(response, objectsXml(bucket, await store.listObjects(bucket, found)))
    }
    if (honoursConditions && request.headers['if-none-match'] === '*' && request.method !== 'GET') {
      return oneByOne(`${bucket}/${key}`, async () => {
        if (await store.existsObject(bucket, key)) return refuse(request, response, 412, 'PreconditionFailed')
        serve(request, response)
        await once(response, 'close')
      })
    }
    serve(request, response)
  }

  async function oneByOne(key: string, run: () => Promise<void>): Promise<void> {
    const before = writing.get(key)
    const turn = (before ?? Promise.resolve()).then(run)
    writing.set(key, turn)
    await turn.finally(() => writing.get(key) === turn && writing.delete(key))
  }

  async function listUploads(bucket: string, prefix: string) {
    const ids = await readdir(store.uploadPath(bucket)).catch(() => [])
    const uploads = await Promise.all(
      ids
        .filter((id) => /^[0-9a-f]+$/.test(id))
        .map(async (uploadId) => {
          const path = store.uploadPath(bucket, uploadId)
          const key = await readFile(join(path, 'key'), 'utf8')
          return { key, uploadId, begunAt: (await stat(join(path, 'key'))).mtime }
        }),
    )
    return uploads.filter(({ key }) => key.startsWith(prefix))
  }

  const server = http.createServer((request, response) => {
    if (!intercept(request, response)) answer(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    endpoint,
    settings: (prefix = '') => ({
      S3_ENDPOINT: endpoint,
      S3_BUCKET,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
      ...(prefix && { DOCENT_S3_PREFIX: prefix }),
    }),
    unfinishedUploads: () => listUploads(S3_BUCKET, ''),
    keys: async (prefix) => {
      const { objects } = await store.listObjects(S3_BUCKET, { prefix, maxKeys: Number.POSITIVE_INFINITY })
      return objects.map(({ key }) => key)
    },
    removeFolder: (prefix) => rm(join(store.getBucketPath(S3_BUCKET), prefix), { recursive: true }),
    intercept(by) {
      intercept = by
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await rm(directory, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

function sendXml(response: http.ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>${body}`)
}

function refuse(request: http.IncomingMessage, response: http.ServerResponse, status: number, code: string): void {
  // Read to its end, so that the sender hears the answer instead of a connection that broke.
  request.resume()
  sendXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)
}

const escaped = (text: string): string => text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`)

const element = (name: string, content: unknown): string => `<${name}>${escaped(String(content))}</${name}>`

function objectsXml(bucket: string, found: Awaited<ReturnType<SoundStore['listObjects']>>): string {
  const objects = found.objects.map(({ key, metadata }) =>
    [
      element('Key', key),
      element('LastModified', new Date(metadata['last-modified']).toISOString()),
      element('ETag', metadata.etag),
      element('Size', metadata['content-length']),
    ].join(''),
  )
  return `<ListBucketResult>${[
    element('Name', bucket),
    element('KeyCount', found.objects.length + found.commonPrefixes.length),
    element('IsTruncated', found.continueAfter !== undefined),
    found.continueAfter === undefined ? '' : element('NextContinuationToken', found.continueAfter),
    ...objects.map((object) => `<Contents>${object}</Contents>`),
    ...found.commonPrefixes.map((prefix) => `<CommonPrefixes>${element('Prefix', prefix)}</CommonPrefixes>`),
  ].join('')}</ListBucketResult>`
}

function uploadsXml(uploads: { key: string; uploadId: string; begunAt: Date }[]): string {
  const entries = uploads.map(({ key, uploadId, begunAt }) =>
    [element('Key', key), element('UploadId', uploadId), element('Initiated', begunAt.toISOString())].join(''),
  )
  const found = entries.map((upload) => `<Upload>${upload}</Upload>`).join('')
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found}</ListMultipartUploadsResult>`
}
