import { expect, test } from 'vitest'
import { violation } from './import-rules.ts'
import { importsOf } from './imports.ts'

const at = (source: string, target: string, isTypeOnly = false) => violation({ source, target, line: 1, isTypeOnly })

test.each([
  ['server/src/chats/chat/chats.service.ts', 'server/src/agents/agents.ts'],
  ['server/src/chats/runs/stored/run-store.ts', 'server/src/usage/usage.ts'],
  ['server/src/agents/tools/create-file.ts', 'server/src/content/write/file-kinds.ts'],
  ['server/src/drive/files.ts', 'server/src/queue/queue.ts'],
  ['server/src/drive/files.ts', 'server/src/platform/errors.ts'],
  ['server/src/chats/runs/run.ts', 'server/src/chats/messages/messages.store.ts'],
  ['server/src/services.ts', 'server/src/chats/chats.ts'],
  ['server/src/db.ts', 'server/src/chats/chats.tables.ts'],
  ['server/src/users/users.service.ts', 'server/src/db.ts'],
  ['server/src/access/keys/keys.service.ts', 'server/src/audit/record-audit.ts'],
  ['server/tests/drive.test.ts', 'server/src/drive/files.store.ts'],
  ['sdk/src/docent.test.ts', 'server/tests/support/test-app.ts'],
  ['web/tests/support/demo.ts', 'server/tests/support/models/model-server.ts'],
  ['cli/src/main.ts', '@docent/sdk'],
  ['cli/build/package.test.ts', 'sdk/build/installed.ts'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/drive/drive.ts'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/chats/steps/steps.tsx'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/ui/controls/button.tsx'],
  ['web/src/ui/data/time.tsx', 'web/src/platform/format.ts'],
  ['web/src/router.tsx', 'web/src/chats/chats.ts'],
  ['web/src/router.tsx', 'web/src/chats/chats.pages.ts'],
  ['web/src/router.tsx', 'web/src/drive/folder.pages.ts'],
  ['web/src/main.tsx', 'web/src/styles/main.css'],
])('%s may import %s', (source, target) => expect(at(source, target)).toBeUndefined())

test.each([
  ['server/src/drive/files.ts', 'server/src/chats/chat/chats.service.ts', 'drive does not know chats'],
  ['server/src/usage/usage.service.ts', 'server/src/agents/agent/agents.service.ts', 'usage does not know agents'],
  ['server/src/access/keys/keys.service.ts', 'server/src/audit/audit.service.ts', 'access does not know audit'],
  ['server/src/drive/files.ts', 'server/src/services.ts', 'only the composition'],
  ['server/src/platform/http/server.ts', 'server/src/access/caller.ts', 'platform knows no feature'],
  ['server/src/queue/worker.ts', 'server/src/drive/files.ts', 'queue does not know drive'],
  ['server/src/search/engine.ts', 'server/src/retrieval/indexing/index-file.ts', 'search does not know retrieval'],
  ['server/src/content/write/make.ts', 'server/src/agents/tools/tool.ts', 'content does not know agents'],
  ['server/src/chats/queries/queries.service.ts', 'server/src/search/engine.ts', 'chats does not know search'],
  ['server/src/agents/loop/run-agent.ts', 'server/src/drive/files.store.ts', 'stores'],
  ['server/src/chats/chat/chats.service.ts', 'server/src/agents/agent/agents.service.ts', 'agents/agents.ts'],
  ['server/src/services.ts', 'server/src/chats/messages/messages.service.ts', 'chats/chats.ts'],
  ['server/src/admin/doctor/findings.ts', 'server/src/drive/files/data-sources.service.ts', 'drive/drive.ts'],
  ['server/src/drive/files/content.routes.ts', 'server/src/drive/drive.ts', 'a front is for other folders'],
  ['server/src/agents/loop/run-agent.ts', 'server/src/drive/drive.tables.ts', 'tables'],
  ['server/src/admin/doctor/findings.ts', 'server/src/drive/drive.tables.ts', 'tables'],
  ['server/src/drive/files.ts', '@docent/sdk', 'stands alone'],
  ['sdk/src/docent.ts', 'server/src/config.ts', 'HTTP contract'],
  ['sdk/src/docent.test.ts', 'server/src/config.ts', 'HTTP contract'],
  ['web/tests/everywhere/ui.test.ts', 'server/src/config.ts', 'HTTP contract'],
  ['cli/src/main.ts', 'sdk/src/index.ts', '@docent/sdk'],
  ['cli/build/main.ts', 'sdk/build/installed.ts', '@docent/sdk'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/drive/items/file-icon.tsx', 'by its front'],
  ['web/src/router.tsx', 'web/src/drive/items/file-icon.tsx', 'by its front'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/drive/drive.pages.ts', 'by its front'],
  ['web/src/drive/items/item-row.tsx', 'web/src/chats/chats.ts', 'drive does not know chats'],
  ['web/src/platform/format.ts', 'web/src/ui/data/time.tsx', 'platform does not know ui'],
  ['web/src/ui/data/time.tsx', 'web/src/access/access.ts', 'ui does not know access'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/chats/chats.ts', 'a front is for other folders'],
  ['web/src/chats/turns/turn/turn-view.tsx', 'web/src/shell.tsx', 'the router and the shell'],
  ['web/src/calendar/calendar.ts', 'web/src/drive/drive.ts', 'no place'],
])('%s may not import %s', (source, target, reason) => expect(at(source, target)).toContain(reason))

test('static, type, re-exporting and dynamic imports are all found', () => {
  const text = [
    "import { a } from './a.ts'",
    "import type { B } from '../b.ts'",
    "export { c } from './deep/c.ts'",
    "import 'package'",
    "const d = await import('./d.ts')",
  ].join('\n')
  expect(importsOf('server/src/drive/x.ts', text)).toEqual([
    { source: 'server/src/drive/x.ts', target: 'server/src/drive/a.ts', line: 1, isTypeOnly: false },
    { source: 'server/src/drive/x.ts', target: 'server/src/b.ts', line: 2, isTypeOnly: true },
    { source: 'server/src/drive/x.ts', target: 'package', line: 4, isTypeOnly: false },
    { source: 'server/src/drive/x.ts', target: 'server/src/drive/deep/c.ts', line: 3, isTypeOnly: false },
    { source: 'server/src/drive/x.ts', target: 'server/src/drive/d.ts', line: 5, isTypeOnly: false },
  ])
})
