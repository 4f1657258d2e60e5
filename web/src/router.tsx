import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  useMatches,
} from '@tanstack/react-router'
import { SignIn, Unreachable, useSession } from './access/access.ts'
import { builderSearch } from './builder/builder.ts'
import { chatSearch, ownChatsSearch } from './chats/chats.ts'
import { Crash } from './crash.tsx'
import { folderSearch, readPosition } from './drive/drive.ts'
import { evaluationSearch } from './evaluation/evaluation.ts'
import { withMessages } from './platform/language.ts'
import { SecondFactorGate } from './second-factor-gate.tsx'
import { auditSearch } from './settings/settings.ts'
import { Shell } from './shell.tsx'
import { threadSearch } from './threads/threads.ts'
import { dismissErrors } from './ui/overlays/toasts.tsx'

/** Root of all pages. Without a session it shows the sign-in page at every URL, then the requested page. */
function Root() {
  const session = useSession()
  // Path of the page that is shown: the address is already that of the next one while that loads.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '' })
  // Visitors of a link have no session, and people with an invitation may have none.
  const isShared = /^\/(shared\/|sign-in\/|join$|password$)/.test(path)
  // Pages on which an app asks for something have no sidebar.
  const isAlone = path.startsWith('/oauth/')
  if (isShared) return <Outlet />
  // One short request: the content of index.html is shown until it is answered.
  if (session.state === 'checking') return null
  if (session.state === 'unreachable') return <Unreachable error={session.error} />
  if (session.state === 'signed_out') return <SignIn because={session.because} />
  return (
    <SecondFactorGate>
      {isAlone ? (
        <Outlet />
      ) : (
        <Shell>
          <Outlet />
        </Shell>
      )}
    </SecondFactorGate>
  )
}

const access = () => withMessages('access', () => import('./access/access.pages.ts'))
const chats = () => withMessages('chats', () => import('./chats/chats.pages.ts'))
const loadNewChat = () => withMessages('new-chat', () => import('./chats/new-chat.pages.ts'))
const drive = () => withMessages('drive', () => import('./drive/drive.pages.ts'))
const own = () => withMessages('own', () => import('./chats/own.pages.ts'))
const projects = () => withMessages('projects', () => import('./chats/projects.pages.ts'))
const folder = () => withMessages('folder', () => import('./drive/folder.pages.ts'))
const agents = () => withMessages('agents', () => import('./agents/agents.pages.ts'))
const builder = () => withMessages('builder', () => import('./builder/builder.pages.ts'))
const evaluation = () => withMessages('evaluation', () => import('./evaluation/evaluation.pages.ts'))
const lost = () => withMessages('lost', () => import('./access/lost.pages.ts'))
const people = () => withMessages('people', () => import('./people/people.pages.ts'))
const reviews = () => withMessages('reviews', () => import('./reviews/reviews.pages.ts'))
const loadAccount = () => withMessages('account', () => import('./settings/account.pages.ts'))
const consent = () => withMessages('consent', () => import('./settings/consent.pages.ts'))
const connections = () => withMessages('connections', () => import('./settings/connections.pages.ts'))
const loadModels = () => withMessages('models', () => import('./settings/models.pages.ts'))
const settingsFrame = () => withMessages('settings-frame', () => import('./settings/settings-frame.pages.ts'))
const sources = () => withMessages('integrations', () => import('./settings/integrations.pages.ts'))
const settings = () => withMessages('settings', () => import('./settings/settings.pages.ts'))
const shared = () => withMessages('shared', () => import('./shared/shared.pages.ts'))
const thread = () => withMessages('thread', () => import('./threads/thread.pages.ts'))
const threads = () => withMessages('threads', () => import('./threads/threads.pages.ts'))

const root = createRootRoute({
  component: Root,
  notFoundComponent: lazyRouteComponent(lost, 'NotFound'),
  errorComponent: Crash,
})

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/chat' })
  },
})

const chat = createRoute({
  getParentRoute: () => root,
  path: '/chat',
  component: lazyRouteComponent(chats, 'ChatPage'),
})
const firstAgent = createRoute({
  getParentRoute: () => chat,
  path: '/',
  component: lazyRouteComponent(loadNewChat, 'FirstAgent'),
})
const newChat = createRoute({
  getParentRoute: () => chat,
  path: '$agentId',
  component: lazyRouteComponent(loadNewChat, 'NewChat'),
})
const openChat = createRoute({
  getParentRoute: () => chat,
  path: '$agentId/$chatId',
  component: lazyRouteComponent(chats, 'ChatView'),
  validateSearch: chatSearch,
})

const ownChats = createRoute({
  getParentRoute: () => root,
  path: '/chats',
  component: lazyRouteComponent(own, 'OwnChatsPage'),
  validateSearch: ownChatsSearch,
})

const sharedChat = createRoute({
  getParentRoute: () => root,
  path: '/shared-chats/$shareId',
  component: lazyRouteComponent(own, 'SharedChatPage'),
})

const projectList = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(projects, 'ProjectsPage'),
})
const openProject = createRoute({
  getParentRoute: () => root,
  path: '/projects/$projectId',
  component: lazyRouteComponent(projects, 'ProjectPage'),
})

const folders = createRoute({
  getParentRoute: () => root,
  path: '/drive',
  component: lazyRouteComponent(drive, 'DrivePage'),
})
const rootFolder = createRoute({
  getParentRoute: () => folders,
  path: '/',
  component: lazyRouteComponent(folder, 'FolderView'),
  validateSearch: folderSearch,
})
const openFolder = createRoute({
  getParentRoute: () => folders,
  path: '$folderId',
  component: lazyRouteComponent(folder, 'FolderView'),
  validateSearch: folderSearch,
})
const openFile = createRoute({
  getParentRoute: () => folders,
  path: '$folderId/$fileId',
  component: lazyRouteComponent(drive, 'FilePage'),
  validateSearch: readPosition,
})
const locateFile = createRoute({
  getParentRoute: () => folders,
  path: 'file/$fileId',
  component: lazyRouteComponent(drive, 'LocateFile'),
  validateSearch: readPosition,
})

const allAgents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  component: lazyRouteComponent(agents, 'AgentsPage'),
})
const agentList = createRoute({
  getParentRoute: () => allAgents,
  path: '/',
  component: lazyRouteComponent(agents, 'AgentList'),
})
const newAgent = createRoute({
  getParentRoute: () => allAgents,
  path: 'new',
  component: lazyRouteComponent(builder, 'NewAgent'),
})
const openAgent = createRoute({
  getParentRoute: () => allAgents,
  path: '$agentId',
  component: lazyRouteComponent(builder, 'BuilderView'),
  validateSearch: builderSearch,
})

const threadList = createRoute({
  getParentRoute: () => allAgents,
  path: '$agentId/threads',
  component: lazyRouteComponent(threads, 'ThreadsPage'),
  validateSearch: threadSearch,
})
const evaluationOfAgent = createRoute({
  getParentRoute: () => allAgents,
  path: '$agentId/evaluation',
  component: lazyRouteComponent(evaluation, 'EvaluationPage'),
  validateSearch: evaluationSearch,
})
const openThread = createRoute({
  getParentRoute: () => allAgents,
  path: '$agentId/threads/$chatId',
  component: lazyRouteComponent(thread, 'ThreadPage'),
})

const allPeople = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(people, 'PeoplePage'),
})
const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$userId',
  component: lazyRouteComponent(people, 'PersonPage'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(reviews, 'InboxPage'),
})

const sharedAgent = createRoute({
  getParentRoute: () => root,
  path: '/shared/$token',
  component: lazyRouteComponent(shared, 'SharedPage'),
  validateSearch: ({ embed, language }): { embed?: true | 'user'; language?: string } => ({
    ...(embed !== undefined && { embed: embed === 'user' ? ('user' as const) : (true as const) }),
    ...(typeof language === 'string' && { language }),
  }),
})

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyRouteComponent(access, 'JoinPage'),
})
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/password',
  component: lazyRouteComponent(access, 'PasswordPage'),
})

const fromProvider = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/$providerId',
  component: lazyRouteComponent(access, 'ProviderPage'),
})

const consentToApp = createRoute({
  getParentRoute: () => root,
  path: '/oauth/authorize',
  component: lazyRouteComponent(consent, 'ConsentPage'),
})

const connectDevice = createRoute({
  getParentRoute: () => root,
  path: '/oauth/device',
  component: lazyRouteComponent(consent, 'DevicePage'),
})

const allSettings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(settingsFrame, 'SettingsPage'),
})
const firstSettings = createRoute({
  getParentRoute: () => allSettings,
  path: '/',
  component: lazyRouteComponent(settingsFrame, 'FirstSettings'),
})
const account = createRoute({
  getParentRoute: () => allSettings,
  path: 'account',
  component: lazyRouteComponent(loadAccount, 'AccountPage'),
})
const membersOfWorkspace = createRoute({
  getParentRoute: () => allSettings,
  path: 'members',
  component: lazyRouteComponent(settings, 'MembersPage'),
})
const keys = createRoute({
  getParentRoute: () => allSettings,
  path: 'keys',
  component: lazyRouteComponent(settings, 'KeysPage'),
})
const providers = createRoute({
  getParentRoute: () => allSettings,
  path: 'providers',
  component: lazyRouteComponent(connections, 'ProvidersPage'),
})
const modelsOfWorkspace = createRoute({
  getParentRoute: () => allSettings,
  path: 'models',
  component: lazyRouteComponent(loadModels, 'ModelsPage'),
})
const webhooks = createRoute({
  getParentRoute: () => allSettings,
  path: 'webhooks',
  component: lazyRouteComponent(connections, 'WebhooksPage'),
})
const integrations = createRoute({
  getParentRoute: () => allSettings,
  path: 'integrations',
  component: lazyRouteComponent(sources, 'IntegrationsPage'),
})
const usage = createRoute({
  getParentRoute: () => allSettings,
  path: 'usage',
  component: lazyRouteComponent(settings, 'UsagePage'),
})
const quotas = createRoute({
  getParentRoute: () => allSettings,
  path: 'quotas',
  component: lazyRouteComponent(settings, 'QuotasPage'),
})
const auditLog = createRoute({
  getParentRoute: () => allSettings,
  path: 'audit-log',
  component: lazyRouteComponent(settings, 'AuditPage'),
  validateSearch: auditSearch,
})
const streaming = createRoute({
  getParentRoute: () => allSettings,
  path: 'streaming',
  component: lazyRouteComponent(settings, 'StreamingPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    chat.addChildren([firstAgent, newChat, openChat]),
    ownChats,
    sharedChat,
    projectList,
    openProject,
    folders.addChildren([rootFolder, openFolder, openFile, locateFile]),
    sharedAgent,
    join,
    newPassword,
    fromProvider,
    consentToApp,
    connectDevice,
    allAgents.addChildren([agentList, newAgent, openAgent, threadList, openThread, evaluationOfAgent]),
    allPeople,
    person,
    inbox,
    allSettings.addChildren([
      firstSettings,
      account,
      membersOfWorkspace,
      providers,
      keys,
      modelsOfWorkspace,
      webhooks,
      integrations,
      usage,
      quotas,
      auditLog,
      streaming,
    ]),
  ]),
  defaultPreload: 'intent',
})

router.subscribe('onBeforeNavigate', ({ pathChanged }) => pathChanged && dismissErrors())

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
