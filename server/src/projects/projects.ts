import type { FolderReader } from '../access/access.ts'
import type { AgentRecord, AgentService } from '../agents/agents.ts'
import type { FolderService } from '../drive/drive.ts'
import type { Kernel } from '../kernel.ts'
import { findProjectOfRun } from './projects.access.ts'
import { type EmptyProject, ProjectService } from './projects.service.ts'
import { withProject } from './with-project.ts'

export { ProjectNotFoundError } from './projects.errors.ts'
export { projectRoutes as projectsRoutes } from './projects.routes.ts'
export { ProjectPath } from './projects.schemas.ts'
export type { EmptyProject, ProjectService } from './projects.service.ts'

interface ProjectsNeeds {
  folders: FolderService
  agents: AgentService
  emptyProject: EmptyProject
}

/** Gives an agent what the project of a chat adds to it. */
export type InProject = (reader: FolderReader, projectId: string | null, agent: AgentRecord) => Promise<AgentRecord>

/** Projects: a folder, instructions and chats in one place. */
export function createProjects(kernel: Kernel, needs: ProjectsNeeds) {
  const inProject: InProject = async (reader, projectId, agent) => {
    if (projectId === null || agent.isConfigurator) return agent
    const project = await findProjectOfRun(kernel.db, reader, projectId)
    return project ? withProject(agent, project) : agent
  }
  return { projects: new ProjectService({ ...kernel, ...needs }), inProject }
}
