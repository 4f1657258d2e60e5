import type { Project } from '@docent/sdk'
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { docent, queryClient } from '../../access/access.ts'
import { folderById } from '../../drive/drive.ts'
import { type ChatPath, refreshChats } from '../chats.queries.ts'

const nextPage = (last: { has_more: boolean; page: number }) => (last.has_more ? last.page + 1 : undefined)

const allProjects = infiniteQueryOptions({
  queryKey: ['projects'],
  queryFn: ({ pageParam }) => docent().projects.list({ page: pageParam, page_size: 100 }),
  initialPageParam: 1,
  getNextPageParam: nextPage,
  select: ({ pages }) => pages.flatMap((page) => page.projects),
})

const projectById = (id: string) =>
  queryOptions({ queryKey: ['project', id], queryFn: () => docent().projects.get(id) })

const chatsOf = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['project-chats', id],
    queryFn: ({ pageParam }) => docent().projects.chats(id, { page: pageParam, archived: false }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
    select: ({ pages }) => pages.flatMap((page) => page.chats),
  })

/** Projects by name. */
export const useProjects = () => useInfiniteQuery(allProjects)

export const useProject = (id: string) => useQuery(projectById(id))

/** Own chats of a project, the last used first. */
export const useProjectChats = (id: string) => useInfiniteQuery(chatsOf(id))

/** Makes a project. @returns it with the name of its folder, which has a number if another folder is called like it */
export async function createProject(name: string): Promise<Project & { folderName: string }> {
  const project = await docent().projects.create({ name })
  const [folder] = await Promise.all([queryClient.fetchQuery(folderById(project.knowledge_base_id)), refreshProjects()])
  return { ...project, folderName: folder.name }
}

export async function changeProject(
  id: string,
  changes: { name?: string; instructions?: string; agent_id?: string | null },
): Promise<void> {
  queryClient.setQueryData(projectById(id).queryKey, await docent().projects.update(id, changes))
  await refreshProjects()
}

export async function deleteProject(
  id: string,
  asked: { delete_chats: boolean; delete_folder: boolean },
): Promise<void> {
  await docent().projects.delete(id, asked)
  await Promise.all(
    ['projects', 'chats', 'chat', 'folders'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })),
  )
}

/** Puts a chat into a project, or with null out of its own. */
export async function moveChat({ agentId, chatId }: ChatPath, projectId: string | null): Promise<void> {
  const chat = await docent().chats.update(agentId, chatId, { project_id: projectId })
  queryClient.setQueryData(['chat', agentId, chatId], chat)
  await Promise.all([refreshChats(agentId), queryClient.invalidateQueries({ queryKey: ['project-chats'] })])
}

const refreshProjects = () => queryClient.invalidateQueries({ queryKey: ['projects'] })
