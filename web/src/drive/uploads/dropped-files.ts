import { filesOf, type TakenFiles } from '../../platform/files/stray-files.ts'

export interface DroppedFolder {
  name: string
  files: File[]
  folders: DroppedFolder[]
}

/** Dropped files and folders, with everything below. Hidden system files are left out. */
export const readDropped = (data: DataTransfer): Promise<Omit<DroppedFolder, 'name'>> => readTaken(filesOf(data))

/** Files and folders of a drop whose event may be over, as `readDropped` gives them. */
export const readTaken = async ({ entries, files }: TakenFiles): Promise<Omit<DroppedFolder, 'name'>> =>
  entries.length > 0 ? readEntries(entries) : { files, folders: [] }

async function readEntries(entries: FileSystemEntry[]): Promise<Omit<DroppedFolder, 'name'>> {
  const visible = entries.filter(({ name }) => !name.startsWith('.'))
  const files = visible.filter((entry) => entry.isFile) as FileSystemFileEntry[]
  const folders = visible.filter((entry) => entry.isDirectory) as FileSystemDirectoryEntry[]
  return {
    files: await Promise.all(files.map((entry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject)))),
    folders: await Promise.all(
      folders.map(async (entry) => ({ name: entry.name, ...(await readEntries(await readAllEntries(entry))) })),
    ),
  }
}

/** Reads all entries of a folder: a reader returns at most a hundred per call, and none at the end. */
async function readAllEntries(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return all
    all.push(...some)
  }
}

/** Groups files into folders by their paths; hidden ones are left out. */
export function groupIntoFolders(files: Pick<File, 'webkitRelativePath' | 'name'>[]): DroppedFolder[] {
  const root: DroppedFolder = { name: '', files: [], folders: [] }
  for (const file of files) {
    const names = file.webkitRelativePath.split('/')
    if (names.some((name) => name.startsWith('.'))) continue
    let folder = root
    for (const name of names.slice(0, -1)) {
      let next = folder.folders.find((other) => other.name === name)
      if (!next) {
        next = { name, files: [], folders: [] }
        folder.folders.push(next)
      }
      folder = next
    }
    folder.files.push(file as File)
  }
  return root.folders
}
