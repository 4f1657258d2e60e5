import type { CreateInvitation, Invitation, MadeInvitation, Member, MemberGroup, UpdateMember } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'

export const MEMBERS_PER_PAGE = 50

/** @param page from 1 */
export function useMembers(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['members', workspaceId, page],
    queryFn: () => wholeDocent().members.list({ page, page_size: MEMBERS_PER_PAGE }),
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
        const { members, has_more } = await wholeDocent().members.list({ page, page_size: 100 })
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
    queryFn: () => wholeDocent().groups.list({ page_size: 100 }),
  })
}

export function useSecondFactorDemand() {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['second-factor', workspaceId],
    queryFn: () => wholeDocent().members.secondFactor.get(workspaceId),
  })
}

export async function setSecondFactorDemand(workspaceId: string, isDemanded: boolean): Promise<void> {
  await wholeDocent().members.secondFactor.set(workspaceId, isDemanded)
  await refresh('second-factor')
}

/** Open invitations, newest first. @param page from 1 */
export function useInvitations(page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['invitations', workspaceId, page],
    queryFn: () => wholeDocent().invitations.list({ page, page_size: MEMBERS_PER_PAGE }),
    placeholderData: keepPreviousData,
  })
}

export async function updateMember({ id }: Member, changes: UpdateMember): Promise<void> {
  await wholeDocent().members.update(id, changes)
  await refresh('members', 'groups', 'me')
}

export async function removeMember({ id }: Member): Promise<void> {
  await wholeDocent().members.remove(id)
  await refresh('members', 'groups', 'invitations')
}

export async function removeTwoFactor({ id }: Member): Promise<void> {
  await wholeDocent().members.removeTwoFactor(id)
  await refresh('members')
}

export const createPasswordLink = ({ id }: Member) => wholeDocent().members.createPasswordLink(id)

export async function invite(fields: CreateInvitation): Promise<MadeInvitation> {
  const made = await wholeDocent().invitations.create(fields)
  await refresh('invitations')
  return made
}

export async function revokeInvitation({ id }: Invitation): Promise<void> {
  await wholeDocent().invitations.revoke(id)
  await refresh('invitations')
}

export async function createGroup(name: string): Promise<void> {
  await wholeDocent().groups.create({ name })
  await refresh('groups')
}

export async function renameGroup({ id }: MemberGroup, name: string): Promise<void> {
  await wholeDocent().groups.update(id, { name })
  await refresh('groups', 'members')
}

export async function deleteGroup({ id }: MemberGroup): Promise<void> {
  await wholeDocent().groups.delete(id)
  await refresh('groups', 'members')
}

const refresh = (...names: string[]) =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })))
