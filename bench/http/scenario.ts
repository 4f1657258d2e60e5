import type { Children } from './children.ts'
import type { Api, Chat } from './client/api.ts'
import type { Server } from './servers.ts'

export type SideName = 'docent' | 'floor'

/** One of the two that are compared, running. */
export interface Side {
  name: SideName
  server: Server
  api: Api
  agentId: string
  /** Chats that loads take again and again; client n has the nth for itself. */
  chats: Chat[]
}

/** Parts of the bench that a scenario may use besides the side that it measures. */
export interface Setting {
  children: Children
  modelUrl: string
  /** A folder that is gone after the run. */
  workDir: string
  /** How long each load lasts. */
  seconds: number
}

/** Metrics of one round of one side, by name. What a side has not is left out. */
export type Sample = Record<string, number>

/** A line of the result. */
export interface Figure {
  metric: string
  /** Name of the figure, with its unit. */
  label: string
  /** Target for the figure; without one it is only reported. */
  goal?: Goal
}

export interface Goal {
  /** Docent divided by the floor, at least. */
  minRatio?: number
  /** Docent divided by the floor, at most. */
  maxRatio?: number
  /** Docent alone, at most. */
  max?: number
}

export interface Scenario {
  name: string
  figures: Figure[]
  /** Default both. */
  sides?: SideName[]
  /** Runs before the first round of each side: compiles hot code and fills caches. */
  prepare?(side: Side, setting: Setting): Promise<void>
  measure(side: Side, setting: Setting): Promise<Sample>
}
