/** Work for the thread that reads repositories. */
export type GitCall =
  | { name: 'tip'; url: string; branch: string | undefined; headers: Record<string, string> }
  | { name: 'fetch'; gitdir: string; url: string; branch: string; headers: Record<string, string>; isNew: boolean }
  | { name: 'files'; gitdir: string; commit: string; path: string[]; most: number }
  | { name: 'read'; gitdir: string; oid: string }

export interface Tip {
  branch: string
  commit: string
}

export interface GitFile {
  path: string[]
  oid: string
  kind: 'file' | 'link' | 'submodule'
}

/** Request that the thread has the process send, which knows where requests may go. */
export interface GitRequest {
  url: string
  method: string
  headers: Record<string, string>
  body: Uint8Array | undefined
}

export interface GitReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array
}

export interface GitFailure {
  /** Name of the error in isomorphic-git, such as `HttpError`; `Request` for one of the process that sent a request. */
  code: string
  message: string
  status?: number | undefined
}

export type ToThread =
  | { kind: 'call'; id: number; call: GitCall }
  | { kind: 'reply'; id: number; reply?: GitReply; failure?: string }

export type FromThread =
  | { kind: 'request'; id: number; request: GitRequest }
  | { kind: 'result'; id: number; value?: unknown; failure?: GitFailure }
