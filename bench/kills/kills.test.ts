import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../server/tests/support/database/database.ts'
import { createChildren } from '../http/children.ts'
import { runKills } from './run-kills.ts'

test('asynchronous queries over kills are delivered, each once and in the order of its chat', async () => {
  const children = createChildren(async () => {})
  onTestFinished(children.endAll)
  const result = await runKills({ children, dataDir: await temporaryFolder(), queries: 80, kills: 3, chats: 8 })
  expect(result).toMatchObject({
    accepted: 80,
    delivered: 80,
    lost: 0,
    doubled: 0,
    wrong: 0,
    outOfOrder: 0,
    forgetful: 0,
    misplaced: 0,
  })
})
