import type { KnowledgeBase } from '@docent/sdk'
import {
  File,
  FileSpreadsheet,
  FileText,
  Folder,
  FolderSymlink,
  Image,
  type LucideIcon,
  Mail,
  Presentation,
} from '../../ui/icons.ts'

const ICONS: Record<string, LucideIcon> = Object.fromEntries(
  (
    [
      [FileText, 'pdf docx doc odt rtf txt md markdown html htm epub'],
      [FileSpreadsheet, 'xlsx xls ods csv tsv'],
      [Presentation, 'pptx ppt odp'],
      [Image, 'png jpg jpeg gif webp tiff'],
      [Mail, 'eml msg'],
    ] as const
  ).flatMap(([icon, endings]) => endings.split(' ').map((ending) => [ending, icon])),
)

/** Icon of a file's type, by its extension. */
export function FileIcon({ name }: { name: string }) {
  const Icon = ICONS[name.split('.').at(-1)!.toLowerCase()] ?? File
  return <Icon size={18} strokeWidth={1.6} className="shrink-0 text-muted" aria-hidden />
}

/** Icon of a folder; linked folders have their own. */
export function FolderIcon({ folder }: { folder: Pick<KnowledgeBase, 'integration_id'> }) {
  const Icon = folder.integration_id ? FolderSymlink : Folder
  return <Icon size={18} strokeWidth={1.6} className="shrink-0 text-accent" aria-hidden />
}
