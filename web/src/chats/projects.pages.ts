// Pages of the projects, and what chats show of them, which are loaded as one file.
export { InProject } from './projects/in-project.tsx'
export { MoveChat } from './projects/move-chat.tsx'
export { ProjectPage } from './projects/project-page.tsx'
export { ProjectsPage } from './projects/projects-page.tsx'
