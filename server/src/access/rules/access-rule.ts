import type { Permission } from '../caller.ts'

/**
 * Callers of a route. `everybody` needs no key; `caller` is anybody with a key, a session or a visitor's token; a
 * permission is held by owners, admins and members whose key has it; `account` is a person who is signed in.
 */
export type Who = 'everybody' | 'caller' | Permission | 'admin' | 'owner' | 'account'

/** Field of a request that holds an id, or several. */
export type Field = `params.${string}` | `query.${string}` | `body.${string}`

/** Resources that are found below another one of the route, or below the caller's own workspace or account. */
export type PartKind =
  | 'app'
  | 'chat'
  | 'data_source'
  | 'delivery'
  | 'evaluation_case'
  | 'evaluation_run'
  | 'evaluation_set'
  | 'group'
  | 'identity'
  | 'integration'
  | 'invitation'
  | 'job'
  | 'key'
  | 'link'
  | 'member'
  | 'memory'
  | 'message'
  | 'model_provider'
  | 'organization'
  | 'output'
  | 'passage_edit'
  | 'passkey'
  | 'project'
  | 'quota'
  | 'scim_token'
  | 'session'
  | 'shared_chat'
  | 'shortcut'
  | 'version'
  | 'sign_in_provider'
  | 'source_app'
  | 'upload'
  | 'virtual_user'
  | 'webhook_endpoint'

export interface FolderReach {
  kind: 'folder'
  by: Field
  to: 'read' | 'write' | 'manage'
  /** `required`: a key that is bound to folders must name one. `ignored`: the folder only narrows what an agent has. */
  whenBound?: 'required' | 'ignored'
}

export interface AgentReach {
  kind: 'agent'
  by: Field
  to: 'use' | 'change' | 'manage'
}

/** A resource that a request reaches, and the field with its id. */
export type Reach = { kind: 'workspace'; by: Field } | FolderReach | AgentReach | { kind: PartKind; by: Field }

/** Declaration of who may call a route, and on what. */
export interface AccessRule {
  who: Who
  /** Proof that stands in for a key where everybody may call; for the reader of the docs. */
  proof?: string
  on?: readonly Reach[]
  /** Visitors of a link may call it, too; `counted`: within the queries a minute of their link. Default: they may not. */
  visitors?: true | 'counted'
  /**
   * Callers that speak for certain virtual users may call it, too: tokens of end users, and keys that are narrowed to
   * some; `keys`: only the latter. Default: they may not.
   */
  virtualUsers?: true | 'keys'
  /**
   * Members who have to set up a second factor first may call it, as they may all routes of their account. Default: they
   * may not.
   */
  withoutSecondFactor?: true
  /** Name of a field with the id of a member who may call it for themselves, in any role. */
  orSelf?: `params.${string}`
  /**
   * Keys that are bound to agents or folders: `checked` against the ids in `on`, which is the default where the path
   * names an agent or a folder; `filtered` where the route shows or takes only what is inside; `closed` to them, which
   * is the default elsewhere; `itself` where the route holds each thing asked of it, and each operation, to the scopes.
   */
  bound?: 'checked' | 'filtered' | 'closed' | 'itself'
}

/** Builders for `AccessRule.on`. */
export const reach = {
  workspace: { kind: 'workspace', by: 'params.workspace_id' } as Reach,

  folder: (
    to: FolderReach['to'],
    by: Field = 'params.knowledge_base_id',
    whenBound?: FolderReach['whenBound'],
  ): FolderReach => ({ kind: 'folder', by, to, ...(whenBound && { whenBound }) }),

  agent: (to: AgentReach['to'], by: Field = 'params.agent_id'): AgentReach => ({ kind: 'agent', by, to }),

  /** A resource below the others of its rule. */
  part: (kind: PartKind, by: Field = `params.${kind}_id`): Reach => ({ kind, by }),
}

/** Whether keys that are bound to agents or folders may call the route, and how they are held to them. */
export function boundOf({ bound, on = [] }: AccessRule): NonNullable<AccessRule['bound']> {
  if (bound) return bound
  const isChecked = on.some(({ kind, by }) => (kind === 'agent' || kind === 'folder') && by.startsWith('params.'))
  return isChecked ? 'checked' : 'closed'
}
