import { z } from 'zod'
import type { RetrievalService } from '../../../retrieval/retrieval.ts'
import { filtersOf } from '../../agent/narrow-folders.ts'
import { dataSection } from '../quote.ts'
import { defineTool } from '../tool.ts'
import { FolderArgument, foldersFor } from './one-folder.ts'

const MOST_FILES = 200
const MOST_FOLDERS = 200

/** Shows what folders and documents the agent has. */
export const listFiles = (retrieval: RetrievalService) =>
  defineTool({
    name: 'list_files',
    description:
      'Lists the folders and the documents that can be searched and read, with their ids; documents newest first. Use it to see what there is, not to find an answer.',
    arguments: z.object({
      knowledge_base_id: FolderArgument,
      name_contains: z.string().max(256).optional().describe('Only documents whose title contains this'),
    }),
    timeoutMs: 10_000,
    isReadOnly: true,
    async run({ knowledge_base_id, name_contains }, { agent, run, files: attached }) {
      const folderIds = await foldersFor(retrieval, { agent, run }, knowledge_base_id)
      const [folders, files] = await Promise.all([
        retrieval.listFolders(run, { folderIds, limit: MOST_FOLDERS }),
        retrieval.listFiles(run, {
          folderIds,
          filters: filtersOf(agent),
          nameContains: name_contains,
          limit: MOST_FILES,
        }),
      ])
      const pathOf = new Map(folders.folders.map(({ id, path }) => [id, path.join(' / ')]))
      const inFolder = (id: string) => (pathOf.has(id) ? `, in ${pathOf.get(id)}` : '')
      const sections = [
        section(
          'Folders',
          folders.folders.map(({ id }) => `${pathOf.get(id)} (id ${id})`),
          folders.total,
        ),
        section(
          'Documents',
          files.files.map(
            ({ id, title, folderId, status }) =>
              `${title} (id ${id}${inFolder(folderId)}${status === 'successful' ? '' : `, ${status}`})`,
          ),
          files.total,
        ),
        section(
          'Sent in this chat',
          attached.map(({ id, name }) => `${name} (id ${id})`),
        ),
      ]
      const content = sections.filter(Boolean).join('\n\n') || 'There are no documents.'
      return {
        content: dataSection({ from: 'list_files' }, content),
        preview: { title: titleOf(folders.total, files.total), content, content_type: 'markdown' },
      }
    },
  })

function section(title: string, entries: string[], total = entries.length): string {
  if (entries.length === 0) return ''
  const rest = total - entries.length
  return [`${title}:`, ...entries.map((entry) => `- ${entry}`), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n')
}

const titleOf = (folders: number, files: number): string =>
  `${files} ${files === 1 ? 'file' : 'files'} in ${folders} ${folders === 1 ? 'folder' : 'folders'}`
