/** Levels of rights to a folder, each with those before it. */
export const FOLDER_LEVELS = ['none', 'read', 'write', 'manage'] as const
export type FolderLevel = (typeof FOLDER_LEVELS)[number]

/** Rights to folders of somebody who has not simply those of their role. */
export interface FoundRights {
  /** Level by folder that has an entry: on the way up from a folder the nearest one decides. */
  entries: ReadonlyMap<string, FolderLevel>
  /** Level where no folder on the way up has an entry; undefined: what the role gives. */
  otherwise: FolderLevel | undefined
  /** Time at which more may have been read: answers until then stay out of memory. Absent: that is not known. */
  since?: string
}

/** Folder rights together with their organization and the version of the rights from which they were read. */
export interface FolderRights extends FoundRights {
  organizationId: string
  version: string
}

export const isAtLeast = (level: FolderLevel, wanted: FolderLevel): boolean =>
  FOLDER_LEVELS.indexOf(level) >= FOLDER_LEVELS.indexOf(wanted)

export const higherOf = (a: FolderLevel, b: FolderLevel): FolderLevel => (isAtLeast(a, b) ? a : b)
