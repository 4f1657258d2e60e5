import type { LucideIcon } from '../../ui/icons.ts'

/** Page of the sidebar. */
export interface Page {
  to: '/chat' | '/projects' | '/drive' | '/agents' | '/inbox' | '/people' | '/settings'
  name: string
  icon: LucideIcon
}
