import { api, dataOf } from './api.ts'

export const add = (folderId: string, body: object) =>
  api.post(`/knowledge-bases/${folderId}/data-sources/documents`, body)

export const list = async (folderId: string, query = '') =>
  dataOf(await api.get(`/knowledge-bases/${folderId}/data-sources${query}`))

export const idsOf = (data: any): string[] => data.data_sources.map((item: any) => item.id)
