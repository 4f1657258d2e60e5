import type { Sample, Scenario, Setting, Side, SideName } from '../scenario.ts'
import type { Measured } from './outcome.ts'

/**
 * Measures both sides so many times, in the order A B B A: what changes on the machine in the course of a run then
 * weighs on both alike. An error of any request ends the scenario.
 */
export async function measureRounds(
  scenario: Scenario,
  sides: Record<SideName, Side>,
  rounds: number,
  setting: Setting,
): Promise<Measured> {
  const names: SideName[] = scenario.sides ?? ['docent', 'floor']
  const samples: Record<SideName, Sample[]> = { docent: [], floor: [] }
  try {
    for (const name of names) await scenario.prepare?.(sides[name], setting)
    for (let round = 0; round < rounds; round++) {
      for (const name of round % 2 ? names.toReversed() : names) {
        samples[name].push(await scenario.measure(sides[name], setting))
      }
    }
    return { scenario, rounds: samples }
  } catch (error) {
    return { scenario, rounds: samples, error }
  }
}
