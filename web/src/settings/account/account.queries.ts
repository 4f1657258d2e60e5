import type { AccountSession, ApiKey, ConnectedApp, CreatedApiKey, CreatePersonalKey } from '@docent/sdk'
import { useQuery } from '@tanstack/react-query'
import { queryClient, refreshAccount, wholeDocent } from '../../access/access.ts'

export const useSessions = () =>
  useQuery({ queryKey: ['account', 'sessions'], queryFn: () => wholeDocent().account.sessions.list() })

export const usePersonalKeys = () =>
  useQuery({ queryKey: ['account', 'api-keys'], queryFn: () => wholeDocent().account.apiKeys.list() })

export async function rename(name: string): Promise<void> {
  await wholeDocent().account.update({ name })
  await refreshAccount(queryClient)
}

/** @throws ExplainedError for a file that is no picture */
export async function setPicture(file: Blob): Promise<void> {
  const { squarePicture } = await import('../../platform/files/small-picture.ts')
  await wholeDocent().account.picture.set(await squarePicture(file))
  await showPicture()
}

export async function removePicture(): Promise<void> {
  await wholeDocent().account.picture.remove()
  await showPicture()
}

const showPicture = () =>
  Promise.all([refreshAccount(queryClient), queryClient.invalidateQueries({ queryKey: ['members'] })])

export async function endSession({ id }: AccountSession): Promise<void> {
  await wholeDocent().account.sessions.end(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] })
}

export async function endOtherSessions(): Promise<void> {
  await wholeDocent().account.sessions.endOthers()
  await Promise.all(['sessions', 'apps'].map((part) => queryClient.invalidateQueries({ queryKey: ['account', part] })))
}

export const useApps = () =>
  useQuery({ queryKey: ['account', 'apps'], queryFn: () => wholeDocent().account.apps.list() })

export async function disconnectApp({ id }: ConnectedApp): Promise<void> {
  await wholeDocent().account.apps.revoke(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'apps'] })
}

export async function createPersonalKey(fields: CreatePersonalKey): Promise<CreatedApiKey> {
  const key = await wholeDocent().account.apiKeys.create(fields)
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
  return key
}

export async function rotatePersonalKey({ id }: ApiKey, overlapSeconds: number): Promise<CreatedApiKey> {
  const key = await wholeDocent().account.apiKeys.rotate(id, { overlap_seconds: overlapSeconds })
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
  return key
}

export async function revokePersonalKey({ id }: ApiKey): Promise<void> {
  await wholeDocent().account.apiKeys.revoke(id)
  await queryClient.invalidateQueries({ queryKey: ['account', 'api-keys'] })
}
