import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Services } from './services.ts'

const ownerKeyPath = (dataDir: string) => join(dataDir, 'owner-key')

/** On an empty data directory: an organization, a workspace and its owner's key. Prints how to begin. */
export async function prepareFirstStart(services: Services, _url: string): Promise<void> {
  const { access, config } = services
  const path = ownerKeyPath(config.dataDir)
  if (await access.isEmpty()) {
    const { apiKey } = await access.createOrganization('My organization', config.access.ownerKey)
    writeFileSync(path, `${apiKey}\n`, { mode: 0o600 })
    console.log(`The owner's API key, shown this once: ${apiKey}`)
  }
  if (existsSync(path)) console.log(`The owner's API key is in ${path}`)
}
