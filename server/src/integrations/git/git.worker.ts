import fs from 'node:fs'
import { parentPort } from 'node:worker_threads'
import git, { type GitHttpRequest, type GitHttpResponse } from 'isomorphic-git'
import type { FromThread, GitCall, GitFailure, GitFile, GitReply, Tip, ToThread } from './git-messages.ts'

/** A thread for one repository: unpacking it takes seconds of a processor. Its requests are sent by the process. */
const waiting = new Map<number, { resolve: (reply: GitReply) => void; reject: (error: Error) => void }>()
let requests = 0
/** Indexes of packs, kept from one call to the next. */
const cache = {}

class RequestError extends Error {
  readonly code = 'Request'
}

const send = (message: FromThread) => parentPort!.postMessage(message)

async function request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) chunks.push(chunk)
  const id = ++requests
  const { promise, resolve, reject } = Promise.withResolvers<GitReply>()
  waiting.set(id, { resolve, reject })
  send({ kind: 'request', id, request: { url, method, headers, body: body && Buffer.concat(chunks) } })
  const reply = await promise
  return {
    url,
    method,
    headers: reply.headers,
    statusCode: reply.status,
    statusMessage: String(reply.status),
    body: once(reply.body),
  }
}

async function* once(bytes: Uint8Array): AsyncIterableIterator<Uint8Array> {
  yield bytes
}

const http = { request }

async function findTip({ url, branch, headers }: Extract<GitCall, { name: 'tip' }>): Promise<Tip | undefined> {
  const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`
  const refs = await git.listServerRefs({ http, url, headers, prefix: ref, symrefs: true })
  const found = refs.find((one) => one.ref === ref)
  if (!found) return undefined
  return { branch: branch ?? found.target?.replace(/^refs\/heads\//, '') ?? 'HEAD', commit: found.oid }
}

/** Gets the last commit of a branch; if an earlier one is there, only what came since then. */
async function fetchTip({ gitdir, url, branch, headers, isNew }: Extract<GitCall, { name: 'fetch' }>): Promise<string> {
  await git.init({ fs, gitdir, bare: true, defaultBranch: 'docent' })
  const options = { fs, http, gitdir, cache, url, headers, remote: 'origin', singleBranch: true, tags: false }
  await git.addRemote({ fs, gitdir, remote: 'origin', url, force: true })
  const { fetchHead } = await git.fetch({ ...options, remoteRef: branch, ref: branch, ...(isNew && { depth: 1 }) })
  if (!fetchHead) throw new RequestError('the server sent no commit')
  // The next fetch tells the server what is there by the branch's own ref.
  await git.writeRef({ fs, gitdir, ref: `refs/heads/${branch}`, value: fetchHead, force: true })
  return fetchHead
}

async function listFiles({ gitdir, commit, path, most }: Extract<GitCall, { name: 'files' }>): Promise<GitFile[]> {
  const files: GitFile[] = []
  const root = await git.readTree({
    fs,
    gitdir,
    cache,
    oid: commit,
    ...(path.length > 0 && { filepath: path.join('/') }),
  })
  const open = [{ path: [] as string[], tree: root.tree }]
  for (let at = open.pop(); at; at = open.pop()) {
    for (const entry of at.tree) {
      const entryPath = [...at.path, entry.path]
      if (entry.type === 'tree') {
        const { tree } = await git.readTree({ fs, gitdir, cache, oid: entry.oid })
        open.push({ path: entryPath, tree })
      } else {
        const kind = entry.type === 'commit' ? 'submodule' : entry.mode === '120000' ? 'link' : 'file'
        files.push({ path: entryPath, oid: entry.oid, kind })
      }
      if (files.length > most) return files
    }
  }
  return files
}

async function answer(call: GitCall): Promise<unknown> {
  if (call.name === 'tip') return findTip(call)
  if (call.name === 'fetch') return fetchTip(call)
  if (call.name === 'files') return listFiles(call)
  const { gitdir, oid } = call
  return (await git.readBlob({ fs, gitdir, cache, oid })).blob
}

function failureOf(error: unknown): GitFailure {
  const { code = 'unknown error', message, data } = error as Error & { code?: string; data?: { statusCode?: number } }
  return { code, message, status: data?.statusCode }
}

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'reply') {
    const one = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.reply) one?.resolve(message.reply)
    else one?.reject(new RequestError(message.failure))
    return
  }
  const { id, call } = message
  answer(call).then(
    (value) => send({ kind: 'result', id, value }),
    (error) => send({ kind: 'result', id, failure: failureOf(error) }),
  )
})
