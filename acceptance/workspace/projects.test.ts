import { expect, test } from 'vitest'
import { api, dataOf, expectError } from '../support/api.ts'
import { makeAgent, makeChat } from '../support/make.ts'
import { anId, aTime, freshId, unique } from '../support/values.ts'

const makeProject = async (fields: object = {}) =>
  dataOf(await api.post('/projects', { name: unique('project'), ...fields }))

test('a project has a folder, and may be changed and deleted', async () => {
  const agent = await makeAgent()
  const name = unique('project')
  const project = await makeProject({ name, instructions: 'Be brief.', agent_id: agent.id })
  expect(project).toEqual({
    id: anId,
    name,
    instructions: 'Be brief.',
    knowledge_base_id: anId,
    agent_id: agent.id,
    is_own: true,
    can_change: true,
    created_at: aTime,
    updated_at: aTime,
  })
  expect(dataOf(await api.get(`/knowledge-bases/${project.knowledge_base_id}`)).name).toBe(name)
  expect(dataOf(await api.get(`/projects?search=${name}`))).toMatchObject({ projects: [project], total: 1 })
  const changes = { instructions: '', agent_id: null }
  expect(dataOf(await api.patch(`/projects/${project.id}`, changes))).toMatchObject({ name, ...changes })
  expect(dataOf(await api.delete(`/projects/${project.id}?delete_folder=true`))).toEqual({ deleted: true })
  expectError(await api.get(`/projects/${project.id}`), 404, 'PROJECT_NOT_FOUND')
  expect((await api.get(`/knowledge-bases/${project.knowledge_base_id}`)).status).toBe(404)
})

test('chats of any agent are in it, once they are put there', async () => {
  const [one, two] = [await makeAgent(), await makeAgent()]
  const project = await makeProject()
  const begun = await makeChat(one.id, { project_id: project.id })
  const moved = await makeChat(two.id)
  expect(begun).not.toHaveProperty('project_id')
  const at = `/agents/${two.id}/chats/${moved.id}`
  expect(dataOf(await api.get(at)).project_id).toBeNull()
  expect(dataOf(await api.patch(at, { project_id: project.id })).project_id).toBe(project.id)
  const inIt = dataOf(await api.get(`/projects/${project.id}/chats`))
  expect(inIt).toMatchObject({
    chats: [
      { id: moved.id, agent_id: two.id, project_id: project.id, message_count: 0, last_message_at: null },
      { id: begun.id, agent_id: one.id },
    ],
    total: 2,
  })
  const ofOne = dataOf(await api.get(`/agents/${one.id}/chats?project_id=${project.id}`))
  expect(ofOne.chats.map(({ id }: { id: string }) => id)).toEqual([begun.id])
  await api.delete(`/projects/${project.id}`)
  expect(dataOf(await api.get(at)).project_id).toBeNull()
})

test('a project that is not there takes no chat and lists none', async () => {
  const agent = await makeAgent()
  const { id } = await makeChat(agent.id)
  const chats = `/agents/${agent.id}/chats`
  for (const reply of [
    await api.post(chats, { project_id: freshId() }),
    await api.patch(`${chats}/${id}`, { project_id: freshId() }),
    await api.get(`${chats}?project_id=${freshId()}`),
    await api.get(`/projects/${freshId()}/chats`),
    await api.patch(`/projects/${freshId()}`, { name: 'x' }),
    await api.delete(`/projects/${freshId()}`),
  ])
    expectError(reply, 404, 'PROJECT_NOT_FOUND')
})
