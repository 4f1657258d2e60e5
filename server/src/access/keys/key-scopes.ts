import { z } from 'zod'

/**
 * Scopes of a key, on top of its role and permissions. Absent or null: not narrowed. A key that is narrowed to agents
 * cannot use folders, unless it names some, and the other way round.
 */
export const KeyScopes = z
  .strictObject({
    operations: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z]+(\.[A-Za-z]+)*(\.\*)?$|^\*$/, 'must be an operationId, or a prefix of some with .*'),
      )
      .min(1)
      .max(100)
      .nullish()
      .meta({ description: 'operationIds of this document that it may call, or prefixes like chats.*' }),
    agent_ids: z.array(z.string()).max(100).nullish().meta({ description: 'Agents that it may use' }),
    knowledge_base_ids: z
      .array(z.string())
      .max(100)
      .nullish()
      .meta({ description: 'Folders that it may use, with their sub-folders' }),
    virtual_user_ids: z.array(z.string()).max(100).nullish().meta({
      description: 'Virtual users for whom it speaks: it reads only their chats, and calls only what takes them',
    }),
  })
  .meta({
    id: 'KeyScopes',
    description: 'Agents, folders and people that a key is narrowed to, on top of its role and permissions',
  })
export type KeyScopes = z.infer<typeof KeyScopes>

/** Scopes to be given to a key, which may name virtual users by their e-mails. */
export const NewKeyScopes = KeyScopes.extend({
  virtual_user_emails: z
    .array(z.string().trim().max(254).regex(z.regexes.email, 'must be a valid e-mail'))
    .max(100)
    .nullish()
    .meta({ description: 'Virtual users by e-mail, as well as those by id; one that is not there is made' }),
})
  // An empty object may be a list that somebody failed to fill: it must not open everything.
  .refine((scopes) => Object.values(scopes).some((narrowed) => narrowed != null), {
    message:
      'must hold operations, agent_ids, knowledge_base_ids, virtual_user_ids or virtual_user_emails; null makes a key that is not narrowed',
  })
  .meta({ id: 'NewKeyScopes' })
export type NewKeyScopes = z.infer<typeof NewKeyScopes>

/** Scopes of a member's own key: it speaks for nobody else. */
export const PersonalKeyScopes = KeyScopes.omit({ virtual_user_ids: true }).meta({ id: 'PersonalKeyScopes' })

/** Finds the virtual users that scopes name, in the form in which they are stored. */
export type ResolveScopes = (
  of: { organizationId: string; workspaceId: string },
  scopes: NewKeyScopes | null,
) => Promise<KeyScopes | null>

/** Scopes as they are shown: without what is gone. */
export interface LiveScopes {
  ofScopes(
    of: { organizationId: string; workspaceId: string; memberId?: string },
    scopes: (KeyScopes | null)[],
  ): Promise<(KeyScopes | null)[]>
}

/** Whether the key is bound to some agents or folders. */
export const isBound = (scopes: KeyScopes): boolean => scopes.agent_ids != null || scopes.knowledge_base_ids != null
