import type { AccountSession, ApiKey, ConnectedApp, CreatedApiKey, CreatePersonalKey } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { docent, queryClient, refreshAccount } from '../../access/access.ts'

export const useSessions = () =>
  useQuery({ queryKey: ['account', 'sessions'], queryFn: () => docent().account.sessions.list() })

export const usePersonalKeys = () =>
  useQuery({ queryKey: ['account', 'api-keys'], queryFn: () => docent().account.apiKeys.list() })

export async function rename(name: string): Promise<void> {
  await docent().account.update({ name })
  await refreshAccount(queryClient)
}

/** @throws ExplainedError for a file that is no picture */
export async function setPicture(file: Blob): Promise<void> {
  const { squarePicture } = await import('../../platform/small-picture.ts')
  await docent().account.picture.set(await squarePicture(file))
  await showPicture()
}

export async function removePicture(): Promise<void> {
  await docent().account.picture.remove()
  await showPicture()
}

const showPicture = () =>
  Promise.all([refreshAccount(queryClient), queryClient.invalidateQueries({ queryKey: ['members'] })])

export async function endSession({ id }: AccountSession): Promise<void> {
  await docent().account.sessions.end(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] })
}

export async function endOtherSessions(): Promise<void> {
  await docent().account.sessions.endOthers()
  await Promise.all(['sessions', 'apps'].map((part) => queryClient.invalidateQueries({ queryKey: ['account', part] })))
}

export const useApps = () => useQuery({ queryKey: ['account', 'apps'], queryFn: () => docent().account.apps.list() })

export async function disconnectApp({ id }: ConnectedApp): Promise<void> {
  await docent().account.apps.revoke(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'apps'] })
}

export async function createPersonalKey(fields: CreatePersonalKey): Promise<CreatedApiKey> {
  const key = await docent().account.apiKeys.create(fields)
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
  return key
}

export async function rotatePersonalKey({ id }: ApiKey, overlapSeconds: number): Promise<CreatedApiKey> {
  const key = await docent().account.apiKeys.rotate(id, { overlap_seconds: overlapSeconds })
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
  return key
}

export async function revokePersonalKey({ id }: ApiKey): Promise<void> {
  await docent().account.apiKeys.revoke(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
}
