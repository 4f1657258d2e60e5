import { COMMAND_KEY } from './platform/command-key.ts'
import { Dialog } from './ui/overlays/dialog.tsx'

/** Keyboard shortcuts, by where they work. */
const KEYS: Record<string, [string, string][]> = {
  Everywhere: [
    [`${COMMAND_KEY} K`, 'Go to a page, a chat or an agent'],
    ['?', 'These keys'],
    ['Esc', 'Close what is open'],
  ],
  Chat: [
    ['Enter', 'Ask'],
    ['Shift Enter', 'A new line'],
    ['/', 'Shortcuts of the agent'],
    ['↑', 'In the empty box: edit the last question'],
    ['Esc', 'Stop the answer'],
  ],
  Drive: [
    ['/', 'Find by name'],
    ['N', 'New folder'],
    ['U', 'Add files'],
    ['↑ ↓', 'Move between rows; with Shift, select them'],
    ['Space', 'Select or deselect a row'],
    [`${COMMAND_KEY} A`, 'Choose all'],
    ['Enter', 'Open'],
    ['F2', 'Rename'],
    ['M', 'Move'],
    ['Delete', 'Delete'],
  ],
  'Setting up an agent': [[`${COMMAND_KEY} S`, 'Save']],
}

export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title="Keys" isWide onClose={onClose}>
    <div className="gap-x-8 sm:columns-2">
      {Object.entries(KEYS).map(([where, keys]) => (
        <section key={where} className="mb-4 break-inside-avoid">
          <h3 className="mb-1 text-sm font-semibold text-muted">{where}</h3>
          <dl>
            {keys.map(([key, does]) => (
              <div key={key} className="flex items-baseline justify-between gap-4 py-0.5">
                <dd className="text-pretty">{does}</dd>
                <dt className="order-last flex shrink-0 gap-1">
                  {key.split(' ').map((one) => (
                    <kbd key={one} className="rounded-[0.35rem] border border-line bg-canvas px-1.5 font-sans text-sm">
                      {one}
                    </kbd>
                  ))}
                </dt>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  </Dialog>
)
