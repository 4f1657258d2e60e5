import type { CreateInvitation, Invitation, MadeInvitation, Member, MemberGroup, UpdateMember } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { docent, queryClient, useWorkspaceId } from '../../access/access.ts'

export const MEMBERS_PER_PAGE = 50

/** @param page from 1 */
export function useMembers(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['members', workspaceId, page],
    queryFn: () => docent().members.list(workspaceId, { page, page_size: MEMBERS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}

/** All members, to choose from. */
export function useAllMembers() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['members', workspaceId, 'all'],
    async queryFn() {
      const all: Member[] = []
      for (let page = 1; ; page++) {
        const { members, has_more } = await docent().members.list(workspaceId, { page, page_size: 100 })
        all.push(...members)
        if (!has_more) return all
      }
    },
  })
}

/** Groups of the workspace by name, the first hundred. */
export function useGroups() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['groups', workspaceId],
    queryFn: () => docent().groups.list(workspaceId, { page_size: 100 }),
  })
}

export function useSecondFactorDemand() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['second-factor', workspaceId],
    queryFn: () => docent().members.secondFactor.get(workspaceId),
  })
}

export async function setSecondFactorDemand(workspaceId: string, isDemanded: boolean): Promise<void> {
  await docent().members.secondFactor.set(workspaceId, isDemanded)
  await refresh('second-factor')
}

/** Open invitations, newest first. @param page from 1 */
export function useInvitations(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['invitations', workspaceId, page],
    queryFn: () => docent().invitations.list(workspaceId, { page, page_size: MEMBERS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}

export async function updateMember(workspaceId: string, { id }: Member, changes: UpdateMember): Promise<void> {
  await docent().members.update(workspaceId, id, changes)
  await refresh('members', 'groups', 'me')
}

export async function removeMember(workspaceId: string, { id }: Member): Promise<void> {
  await docent().members.remove(workspaceId, id)
  await refresh('members', 'groups', 'invitations')
}

export async function removeTwoFactor(workspaceId: string, { id }: Member): Promise<void> {
  await docent().members.removeTwoFactor(workspaceId, id)
  await refresh('members')
}

export const createPasswordLink = (workspaceId: string, { id }: Member) =>
  docent().members.createPasswordLink(workspaceId, id)

export async function invite(workspaceId: string, fields: CreateInvitation): Promise<MadeInvitation> {
  const made = await docent().invitations.create(workspaceId, fields)
  await refresh('invitations')
  return made
}

export async function revokeInvitation(workspaceId: string, { id }: Invitation): Promise<void> {
  await docent().invitations.revoke(workspaceId, id)
  await refresh('invitations')
}

export async function createGroup(workspaceId: string, name: string): Promise<void> {
  await docent().groups.create(workspaceId, { name })
  await refresh('groups')
}

export async function renameGroup(workspaceId: string, { id }: MemberGroup, name: string): Promise<void> {
  await docent().groups.update(workspaceId, id, { name })
  await refresh('groups', 'members')
}

export async function deleteGroup(workspaceId: string, { id }: MemberGroup): Promise<void> {
  await docent().groups.delete(workspaceId, id)
  await refresh('groups', 'members')
}

const refresh = (...names: string[]) =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
