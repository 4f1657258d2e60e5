import { createContext, type ReactNode, use } from 'react'
import { createPortal } from 'react-dom'

/** Slot of the sidebar that the open section fills with its chats, folders or agents. */
export const SidebarSlot = createContext<HTMLElement | null>(null)

/** Renders its children in the sidebar. */
export function SidebarContent({ children }: { children: ReactNode }) {
  const slot = use(SidebarSlot)
  return slot && createPortal(children, slot)
}

/** Heading in the sidebar, with an action beside it. */
export const SidebarHeading = ({ children, action }: { children: ReactNode; action?: ReactNode }) => (
  <div className="flex h-9 items-center justify-between pe-1 ps-2.5">
    <h2 className="text-xs font-semibold text-muted">{children}</h2>
    {action}
  </div>
)
