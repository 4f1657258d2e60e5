import type { EvaluationResult, EvaluationRun } from '@docent/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryClient, wholeDocent } from '../access/access.ts'
import { saveFile } from '../platform/files/save-file.ts'

export const PER_PAGE = 50

/** How often a run that is at work is asked how far it is. */
const LOOK_MS = 1_500

export const isOpen = ({ status }: Pick<EvaluationRun, 'status'>): boolean =>
  status === 'waiting' || status === 'running'

export const useSets = (agentId: string) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'sets'],
    queryFn: () => wholeDocent().evaluation.sets.list(agentId, { page_size: 100 }),
  })

export const useSet = (agentId: string, setId: string) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'set', setId],
    queryFn: () => wholeDocent().evaluation.sets.get(agentId, setId),
  })

export const useCases = (agentId: string, setId: string, page: number) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'cases', setId, page],
    queryFn: () => wholeDocent().evaluation.cases.list(agentId, setId, { page, page_size: PER_PAGE }),
    placeholderData: keepPreviousData,
  })

/** The newest runs of a set, asked again while one is at work. */
export const useRuns = (agentId: string, setId: string) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'runs', setId],
    queryFn: () => wholeDocent().evaluation.runs.list(agentId, { evaluation_set_id: setId, page_size: 100 }),
    refetchInterval: ({ state }) => (state.data?.evaluation_runs.some(isOpen) ? LOOK_MS : false),
  })

export const useRun = (agentId: string, runId: string) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'run', runId],
    queryFn: () => wholeDocent().evaluation.runs.get(agentId, runId),
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? LOOK_MS : false),
  })

/** @param done how many cases have an answer: with each more, the page is asked again */
export const useResults = (agentId: string, runId: string, page: number, done: number) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'results', runId, page, done],
    queryFn: () => wholeDocent().evaluation.runs.results(agentId, runId, { page, page_size: PER_PAGE }),
    placeholderData: keepPreviousData,
  })

export const useComparison = (agentId: string, afterId: string, beforeId: string) =>
  useQuery({
    queryKey: ['evaluation', agentId, 'compare', afterId, beforeId],
    queryFn: () => wholeDocent().evaluation.runs.compare(agentId, afterId, beforeId),
  })

/** Has everything about the sets and runs of an agent read again. */
export const refreshEvaluation = (agentId: string) =>
  queryClient.invalidateQueries({ queryKey: ['evaluation', agentId] })

export async function saveResults(agentId: string, runId: string, format: 'csv' | 'json'): Promise<void> {
  const name = `evaluation-${runId}.${format}`
  if (format === 'csv') {
    const csv = await wholeDocent().evaluation.runs.export(agentId, runId)
    return saveFile(name, new Blob([csv], { type: 'text/csv' }))
  }
  const run = await wholeDocent().evaluation.runs.get(agentId, runId)
  const results: EvaluationResult[] = []
  for await (const result of wholeDocent().evaluation.runs.results(agentId, runId, { page_size: 100 }))
    results.push(result)
  saveFile(name, new Blob([JSON.stringify({ run, results }, null, 2)], { type: 'application/json' }))
}
