import type { Db, Tx } from '../../db.ts'
import { changeVersion } from '../memory/memory.store.ts'
import { type Node, newestLeafBelow, pathTo } from './tree.ts'

/** Ids named in one statement. */
const AT_ONCE = 500

/** Messages of a chat, oldest first. */
export async function listNodes(db: Db, organizationId: string, chatId: string): Promise<Node[]> {
  const rows = await db
    .selectFrom('message')
    .select(['id', 'parent_id', 'is_aside'])
    .where('organization_id', '=', organizationId)
    .where('chat_id', '=', chatId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, parent_id, is_aside }) => ({ id, parentId: parent_id, isAside: is_aside === 1 }))
}

/** Last message of the branch that is shown; null for a chat without branches. */
export async function findLeaf(db: Db, organizationId: string, chatId: string): Promise<string | null> {
  const row = await db
    .selectFrom('chat')
    .select('leaf_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .executeTakeFirst()
  return row?.leaf_id ?? null
}

/**
 * Messages that one follows, the nearest first, in a chat with branches: the memory of its answer.
 * @returns undefined for a chat without branches, where it follows all that are earlier
 */
export async function findAncestors(
  db: Db,
  organizationId: string,
  { chatId, messageId }: { chatId: string; messageId: string },
): Promise<string[] | undefined> {
  if ((await findLeaf(db, organizationId, chatId)) === null) return undefined
  return pathTo(await listNodes(db, organizationId, chatId), messageId).slice(1)
}

/**
 * Makes room for a new message in a chat with branches: at the end of the branch that is shown, or beside another
 * message, whose branch is then set aside. The chat is held.
 * @returns the message that it follows
 */
export async function growBranch(
  tx: Tx,
  organizationId: string,
  {
    id,
    chatId,
    versionOf,
    createdAt,
  }: { id: string; chatId: string; versionOf?: string | undefined; createdAt: string },
  leafId: string | null,
): Promise<string | null> {
  if (versionOf === undefined) {
    await setLeaf(tx, organizationId, chatId, id)
    return leafId
  }
  if (leafId === null) await linkAll(tx, organizationId, chatId)
  const nodes = await listNodes(tx, organizationId, chatId)
  const parentId = nodes.find((node) => node.id === versionOf)?.parentId ?? null
  await show(tx, organizationId, chatId, { nodes, path: pathTo(nodes, parentId), at: createdAt })
  await setLeaf(tx, organizationId, chatId, id)
  return parentId
}

/**
 * Shows the newest branch with a message. The chat is held.
 * @param leafId null for a chat without branches, which shows all there is
 */
export async function showBranchWith(
  tx: Tx,
  organizationId: string,
  chatId: string,
  { messageId, leafId, at }: { messageId: string; leafId: string | null; at: string },
): Promise<void> {
  if (leafId === null) return
  const nodes = await listNodes(tx, organizationId, chatId)
  const leaf = newestLeafBelow(nodes, messageId)
  await show(tx, organizationId, chatId, { nodes, path: pathTo(nodes, leaf), at })
  await setLeaf(tx, organizationId, chatId, leaf)
}

/** Takes messages out of the branches of their chat before they are deleted: what follows them follows those before. */
export async function leaveBranches(tx: Tx, organizationId: string, chatId: string, ids: string[]): Promise<void> {
  const chat = await tx
    .selectFrom('chat')
    .select(['leaf_id', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .forUpdate()
    .executeTakeFirst()
  if (!chat?.leaf_id) return
  const before = await listNodes(tx, organizationId, chatId)
  const gone = new Set(ids)
  const parents = new Map(before.map((node) => [node.id, node.parentId]))
  const parentLeft = (id: string | null): string | null =>
    id !== null && gone.has(id) ? parentLeft(parents.get(id) ?? null) : id
  const left = before
    .filter(({ id }) => !gone.has(id))
    .map((node) => ({ ...node, was: node.parentId, parentId: parentLeft(node.parentId) }))
  for (const { id, parentId, was } of left)
    if (parentId !== was) await setColumns(tx, organizationId, [id], { parent_id: parentId })
  const leaf = gone.has(chat.leaf_id) ? newestLeafBelow(left, parentLeft(chat.leaf_id)) : chat.leaf_id
  await show(tx, organizationId, chatId, { nodes: left, path: pathTo(left, leaf), at: chat.updated_at })
  await setLeaf(tx, organizationId, chatId, leaf)
}

/** Writes of each message of a chat which one it follows: until now that went without saying. */
async function linkAll(tx: Tx, organizationId: string, chatId: string): Promise<void> {
  const nodes = await listNodes(tx, organizationId, chatId)
  for (const [index, { id }] of nodes.entries())
    if (index > 0) await setColumns(tx, organizationId, [id], { parent_id: nodes[index - 1]!.id })
}

/** Sets aside all messages but those of a path. A summary that is just being written may have turns of both, and is not kept. */
async function show(
  tx: Tx,
  organizationId: string,
  chatId: string,
  { nodes, path, at }: { nodes: Node[]; path: string[]; at: string },
): Promise<void> {
  const shown = new Set(path)
  for (const isAside of [true, false]) {
    const changed = nodes.filter((node) => node.isAside !== isAside && shown.has(node.id) !== isAside)
    const ids = changed.map(({ id }) => id)
    for (let from = 0; from < ids.length; from += AT_ONCE)
      await setColumns(tx, organizationId, ids.slice(from, from + AT_ONCE), { is_aside: isAside ? 1 : 0 })
  }
  await changeVersion(tx, organizationId, chatId, at)
}

async function setColumns(
  tx: Tx,
  organizationId: string,
  ids: string[],
  values: { parent_id: string | null } | { is_aside: number },
): Promise<void> {
  await tx
    .updateTable('message')
    .set(values)
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
}

async function setLeaf(tx: Tx, organizationId: string, chatId: string, leafId: string | null): Promise<void> {
  await tx
    .updateTable('chat')
    .set({ leaf_id: leafId })
    .where('organization_id', '=', organizationId)
    .where('id', '=', chatId)
    .execute()
}
