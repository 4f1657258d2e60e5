import type { VirtualUser } from '@docent/sdk'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { queryClient, useWorkspaceId, wholeDocent } from '../access/access.ts'
import { saveFile } from '../platform/files/save-file.ts'

export const PEOPLE_PER_PAGE = 50

/** Profiles, newest first. @param page from 1 */
export function usePeople(search: string, page: number) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['people', workspaceId, search, page],
    queryFn: () =>
      wholeDocent().virtualUsers.list(workspaceId, {
        search: search || undefined,
        page: page - 1,
        page_size: PEOPLE_PER_PAGE,
      }),
    placeholderData: keepPreviousData,
  })
}

export const personById = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: ['person', workspaceId, id],
    queryFn: () => wholeDocent().virtualUsers.get(workspaceId, id),
  })

export const usePerson = (id: string) => useQuery(personById(useWorkspaceId(), id))

export function usePersonUsage(id: string) {
  const workspaceId = useWorkspaceId()
  return useQuery({
    queryKey: ['person-usage', workspaceId, id],
    queryFn: () => wholeDocent().virtualUsers.usage(workspaceId, id),
    // People decide by it what to erase, so it is never served from the cache.
    staleTime: 0,
  })
}

const grantsOf = (workspaceId: string, id: string) =>
  queryOptions({
    queryKey: ['person-grants', workspaceId, id],
    queryFn: () => wholeDocent().virtualUsers.grants.get(workspaceId, id),
    staleTime: 0,
  })

/** Folders from which the person is answered. */
export const usePersonGrants = (id: string) => useQuery(grantsOf(useWorkspaceId(), id))

/** @param folderIds null: all that the key may read */
export async function setPersonGrants(workspaceId: string, id: string, folderIds: string[] | null): Promise<void> {
  const grants = await wholeDocent().virtualUsers.grants.set(workspaceId, id, { knowledge_base_ids: folderIds })
  queryClient.setQueryData(grantsOf(workspaceId, id).queryKey, grants)
}

/** Chats of all agents in which the person asked something, newest first. */
export function usePersonChats(id: string) {
  const workspaceId = useWorkspaceId()
  return useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['person-chats', workspaceId, id],
      queryFn: ({ pageParam }) => wholeDocent().virtualUsers.chats(workspaceId, id, { page: pageParam }),
      initialPageParam: 1,
      getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
      staleTime: 0,
      select: ({ pages }) => pages.flatMap((page) => page.chats),
    }),
  )
}

export interface ProfileFields {
  name: string | null
  origin: string | null
  metadata: Record<string, unknown>
}

/** Creates a profile; a known e-mail, removed or not, returns the existing profile. */
export async function addPerson(workspaceId: string, email: string, fields: ProfileFields): Promise<VirtualUser> {
  const person = await wholeDocent().virtualUsers.create(workspaceId, { email, ...fields })
  await refreshPeople()
  return person
}

export async function changePerson(workspaceId: string, id: string, fields: ProfileFields): Promise<VirtualUser> {
  const person = await wholeDocent().virtualUsers.update(workspaceId, id, fields)
  queryClient.setQueryData(personById(workspaceId, id).queryKey, person)
  await refreshPeople()
  return person
}

/** Saves all that is kept about the person as a ZIP archive. */
export async function exportPerson(workspaceId: string, { id, email }: VirtualUser): Promise<void> {
  const archive = await wholeDocent().virtualUsers.export(workspaceId, id)
  saveFile(`${email}.zip`, await archive.blob())
}

/** Removes the profile from lists; its e-mail brings it back. */
export async function removePerson(workspaceId: string, id: string): Promise<void> {
  await wholeDocent().virtualUsers.delete(workspaceId, id)
  await refreshPeople()
}

/** Restores a removed profile. */
export async function restorePerson(workspaceId: string, email: string): Promise<void> {
  await wholeDocent().virtualUsers.create(workspaceId, { email })
  await refreshPeople()
}

/** Gives all of a person to another one. @returns the one that stays */
export async function mergePerson(workspaceId: string, id: string, into: VirtualUser): Promise<VirtualUser> {
  await wholeDocent().virtualUsers.merge(workspaceId, id, into.id)
  for (const key of ['person-usage', 'person-chats'])
    await queryClient.invalidateQueries({ queryKey: [key, workspaceId, into.id] })
  await refreshPeople()
  return into
}

/** Erases the person and their data, irreversibly. @returns counts of what was erased */
export async function erasePerson(workspaceId: string, id: string) {
  const erased = await wholeDocent().virtualUsers.erase(workspaceId, id)
  await refreshPeople()
  return erased
}

/** Lists that are not shown are dropped from the cache: they would show the erased person for a moment. */
function refreshPeople(): Promise<void> {
  queryClient.removeQueries({ queryKey: ['people'], type: 'inactive' })
  return queryClient.invalidateQueries({ queryKey: ['people'] })
}
