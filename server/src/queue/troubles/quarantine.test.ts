import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createQuarantine, type Leave } from './quarantine.ts'

const never = new AbortController().signal

function start() {
  const quarantine = createQuarantine()
  const inside = new Map<string, Leave>()
  async function enter(name: string, deaths: number, signal = never) {
    const leave = await quarantine.enter(deaths, signal)
    if (leave) inside.set(name, leave)
  }
  async function leave(name: string) {
    inside.get(name)!()
    inside.delete(name)
    for (let turns = 0; turns < 5; turns++) await turn()
  }
  return { enter, leave, names: () => [...inside.keys()] }
}

const settled = async () => {
  for (let turns = 0; turns < 5; turns++) await turn()
}

test('after one death all go on at once, after two sixteen, after three one by one', async () => {
  const { enter, names } = start()
  for (let i = 0; i < 40; i++) void enter(`once ${i}`, 1)
  await settled()
  expect(names()).toHaveLength(40)

  const { enter: enterAgain, leave: leaveAgain, names: again } = start()
  for (let i = 0; i < 20; i++) void enterAgain(`twice ${i}`, 2)
  void enterAgain('alone', 3)
  await settled()
  expect(again()).toHaveLength(16)
  for (let i = 0; i < 19; i++) await leaveAgain(`twice ${i}`)
  expect(again()).toEqual(['twice 19'])
  await leaveAgain('twice 19')
  expect(again()).toEqual(['alone'])

  // Beside one that is alone no other begins that is suspected as much, and the least suspected is next.
  void enterAgain('worse', 4)
  void enterAgain('next', 3)
  void enterAgain('twice', 2)
  await settled()
  expect(again()).toEqual(['alone'])
  await leaveAgain('alone')
  expect(again()).toEqual(['twice'])
  await leaveAgain('twice')
  expect(again()).toEqual(['next'])
  await leaveAgain('next')
  expect(again()).toEqual(['worse'])
})

test('who gives up waiting holds nobody up', async () => {
  const { enter, leave, names } = start()
  const gone = new AbortController()
  void enter('first', 3)
  await settled()
  void enter('second', 3, gone.signal)
  void enter('third', 3)
  gone.abort()
  await leave('first')
  expect(names()).toEqual(['third'])
  void enter('late', 4, AbortSignal.abort())
  await leave('third')
  expect(names()).toEqual([])
})
